/**
 * The load: requests made beforehand, written to raw sockets that stay open, one at a time on each. It adds next to
 * nothing, and the same to every server.
 */

import { once } from 'node:events'
import { connect } from 'node:net'
import type { Socket } from 'node:net'

export interface LoadOptions {
  readonly port: number
  /** Whole requests, sent in turn. */
  readonly requests: readonly Buffer[]
  readonly connections: number
  /** Part of every right body; an answer without it, or without status 200, ends the measurement. */
  readonly expected: string
}

export interface Load {
  readonly perSecond: number
  /** The time within which 99 of 100 answers came, in milliseconds. */
  readonly p99Ms: number
  readonly calls: number
}

export interface HttpClient {
  /** Sends requests for about `ms` milliseconds, over connections that are opened before and closed after. */
  load(ms: number): Promise<Load>
  /** Sends each request once, one after the other. */
  warm(): Promise<void>
  /** Sends one request of any kind and gives the body. */
  ask(request: Buffer): Promise<string>
}

export function createClient({ port, requests, connections, expected }: LoadOptions): HttpClient {
  let turn = 0
  const next = (): Buffer => requests[(turn = (turn + 1) % requests.length)] ?? Buffer.alloc(0)
  const rightly = async (line: Line, request: Buffer): Promise<void> => {
    const answer = await line.ask(request)
    if (!isRight(answer, expected)) throw new Error(`a wrong answer: ${answer.slice(0, 500)}`)
  }

  return {
    // A server ends connections that idle between two turns, so none is kept.
    load: (ms) => withLines(port, connections, async (lines) => {
      const took: number[] = []
      const start = performance.now()
      await Promise.all(lines.map(async (line) => {
        for (let now = start; now - start < ms; ) {
          const asked = now
          await rightly(line, next())
          took.push((now = performance.now()) - asked)
        }
      }))
      const elapsed = performance.now() - start
      const sorted = Float64Array.from(took).sort()
      return { calls: took.length, perSecond: (took.length * 1000) / elapsed, p99Ms: sorted[Math.floor(took.length * 0.99)] ?? Number.NaN }
    }),
    warm: () => withLines(port, 1, async ([line]) => {
      for (const request of requests) if (line) await rightly(line, request)
    }),
    ask: (request) => withLines(port, 1, async ([line]) => bodyOf((await line?.ask(request)) ?? '')),
  }
}

async function withLines<T>(port: number, count: number, use: (lines: readonly Line[]) => Promise<T>): Promise<T> {
  const lines = await Promise.all(Array.from({ length: count }, () => openLine(port)))
  try {
    return await use(lines)
  } finally {
    for (const line of lines) line.end()
  }
}

/** A connection with at most one request under way. */
interface Line {
  /** Resolves with the whole answer, head and all. */
  ask(request: Buffer): Promise<string>
  end(): void
}

async function openLine(port: number): Promise<Line> {
  const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true })
  await once(socket, 'connect')
  let got = ''
  let ended = false
  let onAnswer: (answer: string) => void = () => {}
  let onEnd: (error: Error) => void = () => {}
  // Each byte is one unit of the text, so that lengths can be counted in it.
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    got += chunk
    if (!isWhole(got)) return
    const answer = got
    got = ''
    onAnswer(answer)
  })
  socket.on('error', () => {})
  socket.once('close', () => {
    ended = true
    onEnd(new Error('the server closed the connection'))
  })
  return {
    ask: (request) =>
      new Promise((resolve, reject) => {
        if (ended) return reject(new Error('the connection is closed'))
        onAnswer = resolve
        onEnd = reject
        socket.write(request)
      }),
    end: () => void socket.destroy(),
  }
}

const HEAD_END = '\r\n\r\n'
const LENGTH = /\r\ncontent-length: *(\d+)/i
const CHUNKED_END = '\r\n0\r\n\r\n'

/** Whether the text holds one whole answer: of the length it says, or up to its last chunk (RFC 9112 §6.3). */
function isWhole(text: string): boolean {
  const head = text.indexOf(HEAD_END)
  if (head === -1) return false
  const [, length] = LENGTH.exec(text.slice(0, head)) ?? []
  return length === undefined ? text.endsWith(CHUNKED_END) : text.length >= head + HEAD_END.length + Number(length)
}

const bodyOf = (text: string): string => text.slice(text.indexOf(HEAD_END) + HEAD_END.length)

const isRight = (text: string, expected: string): boolean => text.startsWith('HTTP/1.1 200 ') && text.includes(expected)
