/**
 * The only way to start a process: an argument list, an environment built from nothing, a process group of its
 * own, no descriptor that was not handed over. Whatever ends it, nothing of its group is left.
 */

import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { refusal } from '../../kernel/refusal.ts'
import type { Command, End, Finished, Piece } from './command.ts'
import { stdioFor } from './descriptors.ts'
import { residentBytes } from './process-table.ts'

/** Milliseconds between two looks at the memory. */
const WATCH_MS = 150
/** Milliseconds for which output is awaited from whatever outlived the program, and the end of what was killed. */
const [LINGER_MS, DYING_MS] = [500, 5_000]

/** Never rejects for what the process does. @throws Refusal `exec.unavailable` when it cannot be started. */
export const runCommand = (command: Command): Promise<Finished> =>
  new Promise((resolve, reject) => {
    if (command.signal?.aborted) resolve({ end: 'abort', exitCode: null, signal: null, output: [], durationMs: 0 })
    else new Running(command, resolve).start(reject)
  })

/** One process from its start to the last byte of its output. */
class Running {
  readonly #command: Command
  readonly #resolve: (finished: Finished) => void
  readonly #startedAt = performance.now()
  readonly #output: Piece[] = []
  readonly #timers: NodeJS.Timeout[] = []
  #child: ChildProcess | undefined
  #bytes = 0
  #end: End = 'exit'
  readonly #onAbort = (): void => this.#stop('abort')

  constructor(command: Command, resolve: (finished: Finished) => void) {
    this.#command = command
    this.#resolve = resolve
  }

  start(reject: (why: unknown) => void): void {
    const { argv: [program, ...args], cwd, env, signal } = this.#command
    const child = spawn(program, args, { cwd, env, detached: true, shell: false, windowsHide: true, stdio: stdioFor(this.#command) })
    this.#child = child
    child.once('error', () => {
      this.#letGo()
      reject(refusal('exec.unavailable', 'the operator can ask doctor what is missing', 'spawn'))
    })
    if (child.pid === undefined) return
    this.#feed(child)
    this.#listen(child.stdout, 'stdout')
    this.#listen(child.stderr, 'stderr')
    child.once('exit', (code, by) => this.#exited(code, by))
    signal?.addEventListener('abort', this.#onAbort, { once: true })
    this.#timers.push(setTimeout(() => this.#stop('wall'), this.#command.wallMs))
    this.#watchMemory(child.pid)
  }

  #feed({ stdin, stdio }: ChildProcess): void {
    const give = (to: unknown, bytes: Uint8Array): void => {
      const pipe = to as Writable
      // Who does not read what it was given is not our concern.
      pipe.on('error', () => {})
      pipe.end(bytes)
    }
    if (this.#command.stdin) give(stdin, this.#command.stdin)
    for (const [index, bytes] of (this.#command.handed ?? []).entries()) give(stdio[index + 3], bytes)
  }

  #listen(stream: Readable | null, from: Piece['from']): void {
    stream?.on('error', () => {})
    stream?.on('data', (bytes: Buffer) => {
      const room = this.#command.maxOutputBytes - this.#bytes
      if (room > 0) this.#output.push({ from, bytes: bytes.length > room ? bytes.subarray(0, room) : bytes })
      this.#bytes += bytes.length
      if (bytes.length > room) this.#stop('output')
    })
  }

  #watchMemory(pid: number): void {
    const { maxMemoryBytes } = this.#command
    if (maxMemoryBytes === undefined || process.platform !== 'linux') return
    this.#timers.push(setInterval(() => {
      if (residentBytes(pid, maxMemoryBytes) > maxMemoryBytes) this.#stop('memory')
    }, WATCH_MS))
  }

  #stop(end: End): void {
    if (this.#end === 'exit') this.#end = end
    this.#killGroup()
  }

  #killGroup(): void {
    const pid = this.#child?.pid
    if (pid === undefined) return
    try {
      process.kill(-pid, 'SIGKILL')
    } catch {
      // Nothing of it is left.
    }
  }

  #exited(code: number | null, by: string | null): void {
    const durationMs = performance.now() - this.#startedAt
    this.#killGroup()
    this.#letGo()
    const child = this.#child
    let told = false
    const tell = (): void => {
      if (told) return
      told = true
      clearTimeout(late)
      for (const stream of child?.stdio ?? []) stream?.destroy()
      const own = this.#end === 'exit'
      this.#resolve({ end: this.#end, exitCode: own ? code : null, signal: own ? by : 'SIGKILL', output: this.#output, durationMs })
    }
    // What was written before the end may still wait to be read, however late this loop is.
    const drain = (seen = -1): void => void (told || (this.#bytes === seen ? tell() : setImmediate(drain, this.#bytes)))
    const late = setTimeout(() => setImmediate(drain), this.#end === 'exit' ? LINGER_MS : DYING_MS)
    child?.once('close', tell)
  }

  #letGo(): void {
    for (const timer of this.#timers) clearInterval(timer)
    this.#command.signal?.removeEventListener('abort', this.#onAbort)
  }
}
