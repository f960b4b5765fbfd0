/** The stdio door over streams in this process: raw lines for one test, a transport for SDK clients in another. */

import { PassThrough } from 'node:stream'
import { serveStdio } from '../../src/doors/stdio/serve-stdio.ts'
import type { App } from '../../src/app/create-app.ts'

export type Frame = Readonly<Record<string, unknown>>

export interface StdioPipe {
  /** Everything the door wrote so far, in order. */
  readonly frames: readonly Frame[]
  /** Writes text or bytes as they are. */
  write(raw: string | Uint8Array): void
  /** Writes messages, each on its line, in one chunk. */
  send(...messages: readonly unknown[]): void
  /** The next frame that satisfies the test, past ones included. */
  frame(wanted: (frame: Frame) => boolean): Promise<Frame>
  /** Sends a request and resolves with the frame that answers its id. */
  ask(method: string, params?: object): Promise<Frame>
  /** Ends the input as a client that leaves. Resolves when the door is done. */
  leave(): Promise<void>
  /** Resolves when the door is done, for whatever reason. */
  readonly gone: Promise<void>
}

const HANG_MS = 10_000

export function openPipe(app: App, parent = (): number => 1): StdioPipe {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const door = serveStdio({ app, version: '0.0.0-test', input, output, parent })
  const frames: Frame[] = []
  const waiting = new Set<() => void>()
  let rest = ''
  output.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) frames.push(JSON.parse(line) as Frame)
    for (const wake of [...waiting]) wake()
  })
  let nextId = 1

  const frame: StdioPipe['frame'] = (wanted) =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`no such frame came; the last was ${JSON.stringify(frames.at(-1))}`)), HANG_MS)
      const look = (): void => {
        const found = frames.find(wanted)
        if (!found) return
        clearTimeout(timer)
        waiting.delete(look)
        resolve(found)
      }
      waiting.add(look)
      look()
    })
  const send: StdioPipe['send'] = (...messages) => void input.write(messages.map((message) => `${JSON.stringify(message)}\n`).join(''))

  return {
    frames, frame, send, gone: door.ended,
    write: (raw) => void input.write(raw),
    ask(method, params = {}) {
      const id = `ask-${nextId++}`
      send({ jsonrpc: '2.0', id, method, params })
      return frame((one) => one['id'] === id)
    },
    async leave() {
      input.end()
      await door.ended
    },
  }
}

/** Any JSON-RPC message, as both SDK generations type it. */
interface ClientTransport<Message> {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: Message) => void
  start(): Promise<void>
  send(message: Message): Promise<void>
  close(): Promise<void>
}

/** A client transport over the door's streams. It reads lines as the specification says, nothing more. */
export function pipeTransport<Message>(app: App): ClientTransport<Message> {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const door = serveStdio({ app, version: '0.0.0-test', input, output, parent: () => 1 })
  let rest = ''
  const transport: ClientTransport<Message> = {
    async start() {
      output.setEncoding('utf8').on('data', (chunk: string) => {
        const lines = (rest + chunk).split('\n')
        rest = lines.pop() ?? ''
        for (const line of lines) transport.onmessage?.(JSON.parse(line) as Message)
      })
    },
    async send(message) {
      input.write(`${JSON.stringify(message)}\n`)
    },
    async close() {
      input.end()
      await door.ended
      transport.onclose?.()
    },
  }
  return transport
}

/** The 2026-07-28 envelope that each request of a modern client carries. */
export const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'door-test', version: '0' },
  'io.modelcontextprotocol/clientCapabilities': {},
} as const

export const HANDSHAKE = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'door-test', version: '0' } } as const

/** A pipe whose era is settled, so that a test can speak at once. */
export async function openLegacy(app: App): Promise<StdioPipe> {
  const pipe = openPipe(app)
  await pipe.ask('initialize', HANDSHAKE)
  pipe.send({ jsonrpc: '2.0', method: 'notifications/initialized' })
  return pipe
}

/** As `openLegacy`, in the modern era; `ask` adds the envelope. */
export function openModern(app: App): StdioPipe {
  const pipe = openPipe(app)
  return { ...pipe, ask: (method, params = {}) => pipe.ask(method, { ...params, _meta: ENVELOPE }) }
}
