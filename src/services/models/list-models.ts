/** Which models an endpoint offers: asked beside the place that prompts are posted to, with the same key. */

import { refusal } from '../../kernel/refusal.ts'
import type { OperatorClient } from '../../exits/net/index.ts'
import { anthropic } from './anthropic.ts'
import { ollama } from './ollama.ts'
import { openai } from './openai.ts'
import { at } from './protocol.ts'

const [MAX_BYTES, TIMEOUT_MS] = [1_000_000, 10_000]

interface Listing {
  url(endpoint: URL): string
  /** Under which the answer has its rows, and under which a row has its name. */
  readonly rows: string
  readonly name: string
  readonly headers: (key: string | undefined) => Readonly<Record<string, string>>
}

const beside = ({ origin, pathname }: URL): string => `${origin}${pathname.replace(/\/(?:chat\/completions|completions|messages)\/?$/, '')}/models`

const LISTINGS: Readonly<Record<'anthropic' | 'openai' | 'ollama', Listing>> = {
  anthropic: { url: beside, rows: 'data', name: 'id', headers: anthropic.headers },
  openai: { url: beside, rows: 'data', name: 'id', headers: openai.headers },
  ollama: { url: ({ origin }) => `${origin}/api/tags`, rows: 'models', name: 'name', headers: ollama.headers },
}

export interface ModelPlace {
  readonly provider: keyof typeof LISTINGS
  readonly endpoint: string
  readonly key: string | undefined
}

/**
 * @returns undefined where the endpoint has no list.
 * @throws Refusal `model.failed` where it wants another key; `egress.*` where it cannot be reached.
 */
export async function listModels(client: OperatorClient, { provider, endpoint, key }: ModelPlace): Promise<readonly string[] | undefined> {
  const { url, rows, name, headers } = LISTINGS[provider]
  const { status, body } = await client.request({ method: 'GET', url: url(new URL(endpoint)), headers: headers(key), signal: new AbortController().signal, maxBytes: MAX_BYTES, timeoutMs: TIMEOUT_MS })
  if (status === 401 || status === 403) throw refusal('model.failed', 'it wants another key: see ARROWHEAD_LLM_API_KEY', `status ${status}`)
  if (status !== 200) return undefined
  const all = at(parsed(new TextDecoder().decode(body)), rows)
  return Array.isArray(all) ? all.map((row) => at(row, name)).filter((one) => typeof one === 'string') : undefined
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A name of Ollama without a tag is its `latest`. */
export const offers = (names: readonly string[], model: string): boolean => names.includes(model) || names.includes(`${model}:latest`)
