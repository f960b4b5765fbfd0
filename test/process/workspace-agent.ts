/** `mcp-serve` with an assistant, and a provider that has it do whatever a test wants. */

import { json, provider } from '../../src/services/models/provider.fixture.ts'
import type { Play, Provider } from '../../src/services/models/provider.fixture.ts'
import { answer, choose } from '../../src/testing/index.ts'
import type { Server } from './child.ts'

/** A tool, its arguments, and what the model was told of the call. */
export interface Told {
  readonly tool: string
  readonly args: Readonly<Record<string, unknown>>
  readonly text: string
}

export interface HostileModel {
  readonly env: Readonly<Record<string, string>>
  readonly provider: Provider
  /** What the model heard of each of its calls, in their order. */
  told(): readonly Told[]
  close(): Promise<void>
}

const says = (content: string): Play => json(200, { model: 'm', message: { role: 'assistant', content }, done: true, done_reason: 'stop' })

/** Makes these calls whatever comes of them, and then answers. */
export async function hostileModel(calls: readonly (readonly [tool: string, args: Readonly<Record<string, unknown>>])[], last: Play = says(answer('done'))): Promise<HostileModel> {
  const one = await provider(...calls.map(([tool, args]) => says(choose(tool, args))), last)
  return {
    provider: one,
    env: {
      ARROWHEAD_LLM_PROVIDER: 'ollama', ARROWHEAD_LLM_MODEL: 'm', ARROWHEAD_LLM_ENDPOINT: one.url, ARROWHEAD_LLM_INTERNAL_HOSTS: `127.0.0.1:${one.port}`,
      ARROWHEAD_ASSISTANT_TOOL_CALLING: 'json', ARROWHEAD_LLM_MAX_PROMPT_CHARS: '400000',
    },
    told: () => calls.flatMap(([tool, args], at) => {
      const messages = one.posted[at + 1]?.body['messages'] as readonly { readonly content: string }[] | undefined
      return messages ? [{ tool, args, text: messages.at(-1)?.content ?? '' }] : []
    }),
    close: () => one.close(),
  }
}

/** The first line of what a refused call was told, as its code; `ok` for one that ran. */
export const codeIn = ({ text }: Told): string => /\nrefused: ([a-z.-]+):/.exec(text)?.[1] ?? (/\nfailed: /.test(text) ? 'fault' : 'ok')

let ids = 0

/** Puts one prompt. */
export async function prompt(server: Server, text = 'go'): Promise<{ readonly value: Readonly<Record<string, unknown>> | undefined; readonly text: string }> {
  const frame = (await server.call((ids += 1), 'ask_arrowhead', { prompt: text })) as { result?: { structuredContent?: Readonly<Record<string, unknown>> } }
  return { value: frame.result?.structuredContent, text: JSON.stringify(frame) }
}
