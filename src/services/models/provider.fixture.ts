/** Real HTTP servers that play a provider, as it should be and as it should not. */

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createOperatorClient } from '../../exits/net/index.ts'
import { testClock } from '../../testing/index.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { Completion, Models } from '../../kernel/ports/models.ts'
import { createModels, PROTOCOLS } from './index.ts'
import type { ModelOptions, ModelPorts } from './index.ts'

export const KEY = 'sk-provider-key-0123456789'

export interface Posted {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Readonly<Record<string, unknown>>
}

export type Play = (response: ServerResponse, posted: Posted) => void | Promise<void>

export async function provider(...plays: readonly Play[]) {
  const posted: Posted[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const one = { method: request.method ?? '', path: request.url ?? '', headers: request.headers, body: JSON.parse(Buffer.concat(chunks).toString() || '{}') }
      const play = plays[Math.min(posted.length, plays.length - 1)]
      posted.push(one)
      void play?.(response, one)
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return {
    posted,
    port,
    url: `http://127.0.0.1:${port}/v1/messages`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export type Provider = Awaited<ReturnType<typeof provider>>

/** Waits are recorded and not waited for; the clock moves by them. */
export function modelsOver({ url, port }: Pick<Provider, 'url' | 'port'>, more: Partial<ModelOptions & ModelPorts> = {}) {
  const waits: number[] = []
  const clock = testClock()
  const client = createOperatorClient({ internalHosts: [`127.0.0.1:${port}`], userAgent: 'test' })
  const pause = async (ms: number): Promise<void> => {
    waits.push(ms)
    clock.pass(ms)
  }
  const options = { protocol: PROTOCOLS.openai, endpoint: url, model: 'm-1', key: KEY, maxTokens: 50, timeoutMs: 20_000, maxPromptChars: 1_000, ...more }
  const models = createModels(options, { client, clock, pause, jitter: () => 0, quote: (text) => text, ...more })
  return { models, waits, clock }
}

export const ask = (models: Models, signal = new AbortController().signal): Promise<Completion> =>
  models.complete({ system: 'Be brief.', messages: [{ role: 'user', content: 'Hello?' }], signal })

/** `code reason` of the refusal that ends a completion, with a look whether the key shows. */
export async function refusedWith(asking: Promise<unknown>): Promise<string> {
  try {
    await asking
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const shown = JSON.stringify(error, Object.getOwnPropertyNames(error))
    return shown.includes(KEY) ? 'the key shows' : [error.code, error.reason].filter((word) => word !== undefined).join(': ')
  }
  return 'answered'
}

export const json = (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Play => (response) => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}

/** Pieces as a provider streams them, each in a write of its own. */
export const streamed = (type: string, ...pieces: readonly string[]): Play => async (response) => {
  response.writeHead(200, { 'content-type': type })
  for (const piece of pieces) {
    response.write(piece)
    await new Promise((resolve) => setImmediate(resolve))
  }
  response.end()
}

export const event = (data: unknown): string => `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`
export const openaiPiece = (content: string): string => event({ model: 'm-1-0613', choices: [{ delta: { content } }] })
