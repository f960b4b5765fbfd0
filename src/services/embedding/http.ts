/**
 * Vectors from an OpenAI-compatible endpoint, through the guarded way to what the operator configured. Batches;
 * tries again with growing pauses where the endpoint is busy; believes nothing about what comes back.
 */

import { setTimeout as pause } from 'node:timers/promises'
import type { OperatorClient, OperatorResponse } from '../../exits/net/index.ts'
import type { EmbedContext, Embedder } from '../../kernel/ports/embedding.ts'
import { refusal } from '../../kernel/refusal.ts'
import { checkCount, checkVectors, unit } from './limits.ts'

export interface HttpEmbedderOptions {
  readonly client: () => Promise<Pick<OperatorClient, 'request'>>
  readonly endpoint: string
  readonly model: string | undefined
  readonly apiKey: string | undefined
  readonly dimensions: number
  readonly batchSize: number
  readonly timeoutMs: number
  readonly maxTexts: number
  readonly maxResponseBytes: number
  /** First pause before a request is tried again, in milliseconds; each later one is twice as long. @default 500 */
  readonly backOffMs?: number
}

const ATTEMPTS = 4
const MAX_PAUSE_MS = 20_000
const BUSY = new Set([408, 409, 425, 429, 500, 502, 503, 504])

export function createHttpEmbedder(options: HttpEmbedderOptions): Embedder {
  const { dimensions, model, batchSize, maxTexts } = options
  return {
    label: `http:${new URL(options.endpoint).host}:${model ?? 'default'}:${dimensions}`,
    dimensions,
    semantic: true,
    async embed(texts, context) {
      checkCount(texts.length, maxTexts)
      const vectors: (readonly number[])[] = []
      for (let at = 0; at < texts.length; at += batchSize) {
        vectors.push(...(await batch(options, texts.slice(at, at + batchSize), context)))
        context.progress?.(vectors.length, texts.length)
      }
      return vectors
    },
    close: async () => {},
  }
}

async function batch(options: HttpEmbedderOptions, texts: readonly string[], { signal }: EmbedContext): Promise<readonly (readonly number[])[]> {
  const response = await patiently(options, texts, signal)
  if (response.status !== 200) throw refusal('embedding.failed', undefined, `status-${response.status}`)
  const vectors = vectorsOf(response.body)
  checkVectors(vectors, { count: texts.length, dimensions: options.dimensions })
  return vectors.map(unit)
}

async function patiently(options: HttpEmbedderOptions, texts: readonly string[], signal: AbortSignal): Promise<OperatorResponse> {
  for (let attempt = 1; ; attempt += 1) {
    const response = await send(options, texts, signal)
    if (!BUSY.has(response.status) || attempt === ATTEMPTS) return response
    await waited(pauseOf(response, attempt, options.backOffMs ?? 500), signal)
  }
}

async function send({ client, endpoint, model, apiKey, dimensions, timeoutMs, maxResponseBytes }: HttpEmbedderOptions, input: readonly string[], signal: AbortSignal): Promise<OperatorResponse> {
  return (await client()).request({
    method: 'POST', url: endpoint, signal, timeoutMs, maxBytes: maxResponseBytes,
    headers: { 'content-type': 'application/json', accept: 'application/json', ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }) },
    body: JSON.stringify({ input, encoding_format: 'float', ...(model !== undefined && { model, dimensions: wantsDimensions(model) ? dimensions : undefined }) }),
  })
}

/** Only models that can shorten their vectors take the number; others refuse the request that names it. */
const wantsDimensions = (model: string): boolean => /^text-embedding-3/.test(model)

/** As the endpoint asks, within reason, else growing; a little random, so that many callers do not come back at once. */
function pauseOf({ headers }: OperatorResponse, attempt: number, backOffMs: number): number {
  const asked = Number(headers['retry-after'])
  const grown = backOffMs * 2 ** (attempt - 1) * (1 + Math.random() / 4)
  return Math.min(MAX_PAUSE_MS, Number.isFinite(asked) && asked > 0 ? Math.max(asked * 1000, grown) : grown)
}

async function waited(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await pause(ms, undefined, { signal })
  } catch {
    throw signal.reason
  }
}

/** In the order of the texts, whatever the order of the answer. @throws Refusal `embedding.failed` */
function vectorsOf(body: Uint8Array): readonly (readonly number[])[] {
  const rows = rowsOf(body)
  const vectors: (readonly number[])[] = []
  for (const [place, row] of rows.entries()) {
    const { index = place, embedding } = row as { index?: unknown; embedding?: unknown }
    const known = typeof index === 'number' && Number.isInteger(index) && index >= 0 && index < rows.length && vectors[index] === undefined
    if (!known || !Array.isArray(embedding) || !embedding.every((number) => typeof number === 'number')) throw refusal('embedding.failed', undefined, 'shape')
    vectors[index] = embedding as number[]
  }
  return vectors
}

function rowsOf(body: Uint8Array): readonly unknown[] {
  try {
    const { data } = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) as { data?: unknown }
    if (Array.isArray(data) && data.every((row) => typeof row === 'object' && row !== null)) return data
  } catch {
    // Said below: an answer that is no JSON is one that cannot be used.
  }
  throw refusal('embedding.failed', undefined, 'shape')
}
