/** An MCP client of plain JSON lines over a child's stdio. It adds next to nothing, and the same to every server. */

import { spawn } from 'node:child_process'
import type { ChildProcessByStdio } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { Readable, Writable } from 'node:stream'

export type Era = 'legacy' | 'modern'
type Result = Readonly<Record<string, unknown>>
interface Answer {
  readonly id?: unknown
  readonly result?: Result
}

export interface Command {
  readonly args: readonly string[]
  readonly cwd: string
  readonly env?: Readonly<Record<string, string>>
}

export interface RawClient {
  /** Opens the connection in the way of the era. */
  open(): Promise<void>
  request(method: string, params?: Result): Promise<Result>
  /** Requests a second, for about `ms` milliseconds, with at most `window` of them unanswered. */
  rate(options: RateOptions): Promise<number>
  /** Resident memory of the server in megabytes (10^6 bytes). */
  residentMb(): number
  /** Ends the server's input and waits for its end. */
  end(): Promise<void>
}

export interface RateOptions {
  readonly ms: number
  readonly window: number
  readonly method: string
  readonly params: Result
  /** Whether an answer is the right one; a wrong one ends the measurement. */
  isRight(result: Result): boolean
}

const CLIENT = { name: 'bench', version: '1' }
const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': CLIENT,
  'io.modelcontextprotocol/clientCapabilities': {},
}
const END_GRACE_MS = 3_000

type Child = ChildProcessByStdio<Writable, Readable, Readable>

/** Starts a server, which is `node` with the command's arguments. What it says on stderr is read and dropped. */
export function startServer({ args, cwd, env = {} }: Command, era: Era): RawClient {
  const child: Child = spawn(process.execPath, args, { cwd, env: { PATH: process.env['PATH'], ...env }, stdio: ['pipe', 'pipe', 'pipe'] })
  child.stderr.resume()
  // A broken pipe follows the end of the server, which is what gets reported.
  child.stdin.on('error', () => {})
  let onAnswer: (answer: Answer) => void = () => {}
  let onEnd: (error: Error) => void = () => {}
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  void ended.then(() => onEnd(new Error(`the server ended: ${args.join(' ')}`)))
  readLines(child.stdout, (line) => onAnswer(JSON.parse(line) as Answer))

  let lastId = 0
  const line = (method: string, params: Result): string => {
    const sent = era === 'modern' ? { ...params, _meta: ENVELOPE } : params
    return `${JSON.stringify({ jsonrpc: '2.0', id: (lastId += 1), method, params: sent })}\n`
  }
  const request: RawClient['request'] = (method, params = {}) =>
    new Promise((resolve, reject) => {
      onEnd = reject
      onAnswer = ({ id, result }) => id === lastId && (result ? resolve(result) : reject(new Error(`${method} was refused`)))
      child.stdin.write(line(method, params))
    })

  const rate: RawClient['rate'] = ({ ms, window, method, params, isRight }) =>
    new Promise((resolve, reject) => {
      const start = performance.now()
      let [sent, answered] = [0, 0]
      let waiting = ''
      const flush = (): void => {
        child.stdin.write(waiting)
        waiting = ''
      }
      const ask = (): void => {
        // Requests that become due in one turn leave in one write.
        if (waiting === '') setImmediate(flush)
        waiting += line(method, params)
        sent += 1
      }
      onEnd = reject
      onAnswer = ({ id, result }) => {
        if (id === undefined) return
        if (!result || !isRight(result)) return reject(new Error(`${method}: a wrong answer`))
        answered += 1
        const elapsed = performance.now() - start
        if (elapsed < ms) ask()
        else if (answered === sent) resolve((answered * 1000) / elapsed)
      }
      for (let i = 0; i < window; i += 1) ask()
    })

  return {
    request, rate,
    async open() {
      if (era === 'modern') await request('server/discover')
      else {
        await request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: CLIENT })
        child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
      }
    },
    residentMb: () => residentMb(child.pid),
    async end() {
      onEnd = () => {}
      child.stdin.end()
      const late = setTimeout(() => child.kill('SIGKILL'), END_GRACE_MS)
      await ended
      clearTimeout(late)
    },
  }
}

function readLines(input: Readable, onLine: (line: string) => void): void {
  let rest = ''
  input.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) onLine(line)
  })
}

/** VmRSS of a process (proc_pid_status(5)), in megabytes; NaN where the system has no /proc. */
export function residentMb(pid: number | undefined): number {
  if (process.platform !== 'linux') return Number.NaN
  const [, kib = ''] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return (Number(kib) * 1024) / 1e6
}
