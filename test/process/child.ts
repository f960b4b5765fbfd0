/** Runs the executable as a child: one command to its end, or a server to talk to. */

import { spawn } from 'node:child_process'
import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { builtBinary } from './built-binary.ts'

export interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** A data directory and a working directory of a test's own. Nothing of the machine's settings gets in. */
export interface Place {
  readonly dataDir: string
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** Servers that were started here. */
  readonly children: Set<ChildProcessWithoutNullStreams>
  /** Removes it, and ends what still runs in it. */
  remove(): void
}

export function makePlace(): Place {
  const cwd = mkdtempSync(join(tmpdir(), 'arrowhead-process-'))
  const dataDir = join(cwd, 'data')
  const env = { PATH: process.env['PATH'] ?? '', HOME: cwd, ARROWHEAD_DATA_DIR: dataDir }
  const children: Place['children'] = new Set()
  return {
    dataDir, cwd, env, children,
    remove() {
      for (const child of children) child.kill('SIGKILL')
      rmSync(cwd, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

export async function run({ cwd, env }: Place, args: readonly string[], more: Readonly<Record<string, string>> = {}): Promise<Ended> {
  const child = spawn(process.execPath, [await builtBinary(), ...args], { cwd, env: { ...env, ...more } })
  child.stdin.end()
  return ended(child)
}

function ended(child: ChildProcessWithoutNullStreams): Promise<Ended> {
  const [out, err]: [Buffer[], Buffer[]] = [[], []]
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, out: Buffer.concat(out).toString(), err: Buffer.concat(err).toString() }))
  })
}

type Frame = Readonly<Record<string, unknown>>

export interface Server {
  readonly child: ChildProcessWithoutNullStreams
  readonly pid: number
  /** Every line of standard output so far, as it came. */
  readonly lines: readonly string[]
  readonly stderr: () => string
  send(...messages: readonly object[]): void
  /** The answer to a request, by its id. */
  answer(id: number | string): Promise<Frame>
  /** Sends one call of a tool. */
  call(id: number, name: string, args: object): Promise<Frame>
  readonly exited: Promise<number | null>
}

export const HANDSHAKE = { jsonrpc: '2.0', id: 'hello', method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'process-test', version: '0' } } }

/** A stdio server after its handshake. */
export async function startServer({ cwd, env, children }: Place, more: Readonly<Record<string, string>> = {}, nodeArgs: readonly string[] = []): Promise<Server> {
  const child = spawn(process.execPath, [...nodeArgs, await builtBinary(), 'serve'], { cwd, env: { ...env, ...more } })
  children.add(child)
  child.once('exit', () => children.delete(child))
  const server = talk(child)
  server.send(HANDSHAKE)
  await server.answer('hello')
  return server
}

/** Speaks to a server that was started. */
export function talk(child: ChildProcessWithoutNullStreams): Server {
  const lines: string[] = []
  const waiting = new Map<string, (frame: Frame) => void>()
  const early = new Map<string, Frame>()
  let [rest, stderr] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const parts = (rest + chunk).split('\n')
    rest = parts.pop() ?? ''
    for (const line of parts) {
      lines.push(line)
      deliver(line)
    }
  })
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => void (stderr += chunk))
  child.stdin.on('error', () => {})
  const exited = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)))

  const deliver = (line: string): void => {
    if (!line.startsWith('{')) return
    const frame = JSON.parse(line) as Frame
    const key = JSON.stringify(frame['id'])
    const wake = waiting.get(key)
    waiting.delete(key)
    if (wake) wake(frame)
    else early.set(key, frame)
  }
  const answer: Server['answer'] = (id) => {
    const key = JSON.stringify(id)
    const there = early.get(key)
    if (there) return Promise.resolve(there)
    return new Promise((resolve, reject) => {
      waiting.set(key, resolve)
      void exited.then((code) => reject(new Error(`the server ended with ${code} before it answered; stderr: ${stderr.slice(-500)}`)))
    })
  }
  const send: Server['send'] = (...messages) => void child.stdin.write(messages.map((message) => `${JSON.stringify(message)}\n`).join(''))

  return {
    child, lines, exited, answer, send, stderr: () => stderr, pid: child.pid ?? 0,
    call(id, name, args) {
      send({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } })
      return answer(id)
    },
  }
}

/** Whether a process with this id runs. One that ended and was not collected by its parent has ended. */
export function runs(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !existsSync('/proc/self/stat') || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

/** Milliseconds until `done` is true, looked at again and again; at most `limitMs`. */
export async function until(done: () => boolean, limitMs: number): Promise<number> {
  const from = performance.now()
  while (!done() && performance.now() - from < limitMs) await new Promise((resolve) => setTimeout(resolve, 20))
  return performance.now() - from
}

const PROMISED_MS = 2_000

/**
 * Whether the process is gone within the promised time. The time is kept by a process that does nothing else, so that it
 * passes as slowly as the machine is busy; a process that hangs outlives any such time.
 */
export async function endsInTime(pid: number): Promise<boolean> {
  const keeper = spawn(process.execPath, ['-e', `setTimeout(() => {}, ${PROMISED_MS})`], { stdio: 'ignore' })
  let isOver = false
  keeper.once('exit', () => (isOver = true))
  await until(() => isOver || !runs(pid), Number.POSITIVE_INFINITY)
  keeper.kill()
  return !runs(pid)
}
