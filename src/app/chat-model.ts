/**
 * Opens the language model of the assistant: the one of the settings, or Ollama on this machine where none is named.
 * Its protocol and the network load with the first prompt.
 */

import { secretValues } from '../config/index.ts'
import type { Settings } from '../config/index.ts'
import type { ChatModel } from '../kernel/ports/chat.ts'
import type { Clock } from '../kernel/clock.ts'
import { Refusal, refusal } from '../kernel/refusal.ts'
import type { OperatorClient } from '../exits/net/index.ts'
import { cleanText } from '../services/content/clean-text.ts'
import { createRedactor } from '../services/content/redactor.ts'

/** Where Ollama listens unless told otherwise. */
const OLLAMA = 'http://localhost:11434/api/chat'
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/
const CHARS_PER_TOKEN = 3
const [TAGS_MAX_BYTES, TAGS_TIMEOUT_MS] = [1_000_000, 10_000]

export function openChatModel(settings: Settings, clock: Clock): ChatModel {
  let opening: { readonly model: Promise<ChatModel>; readonly by: AbortSignal } | undefined
  let known: ChatModel | undefined
  /** Requests share one look for the model, but not its end: a request that was cancelled takes no other with it. */
  const opened = async (signal: AbortSignal): Promise<ChatModel> => {
    for (;;) {
      const mine = (opening ??= { model: load(settings, clock, signal), by: signal })
      try {
        return (known = await mine.model)
      } catch (error) {
        // A failed look for a model is no reason not to look again.
        if (opening === mine) opening = undefined
        if (signal.aborted || !mine.by.aborted) throw error
      }
    }
  }
  return {
    maxPromptChars: settings.llmMaxPromptChars,
    get speaksTools() {
      return known?.speaksTools ?? true
    },
    async chat(request) {
      const model = await opened(request.signal)
      return model.chat(request).catch((error: unknown) => {
        throw error instanceof Refusal && error.code === 'model.failed' ? refusal('model.failed', nextOf(error.reason ?? ''), error.reason) : error
      })
    },
  }
}

interface ModelEndpoint {
  readonly provider: Exclude<Settings['llmProvider'], 'none'>
  /** Undefined is the public one of the provider. */
  readonly endpoint: string | undefined
  readonly internalHosts: readonly string[]
}

/** Where the assistant's model is. */
export function endpointOf({ llmProvider, llmEndpoint, llmInternalHosts = [] }: Settings): ModelEndpoint {
  const provider = llmProvider === 'none' ? 'ollama' : llmProvider
  const endpoint = llmEndpoint ?? (provider === 'ollama' ? OLLAMA : undefined)
  // Who asks is who named the endpoint, so this machine's own is reachable without being named twice.
  const { hostname, protocol, port } = new URL(endpoint ?? OLLAMA)
  const own = LOOPBACK.test(hostname) ? [`${hostname}:${port === '' ? (protocol === 'https:' ? '443' : '80') : port}`] : []
  return { provider, endpoint, internalHosts: [...llmInternalHosts, ...own] }
}

async function load(settings: Settings, clock: Clock, signal: AbortSignal): Promise<ChatModel> {
  const { llmMaxPromptChars: maxPromptChars, llmMaxTokens: maxTokens } = settings
  const { provider, endpoint, internalHosts } = endpointOf(settings)
  const [{ createOperatorClient }, { ANTHROPIC_ENDPOINT, PROTOCOLS, createModels }] = await Promise.all([import('../exits/net/index.ts'), import('../services/models/index.ts')])
  const client = createOperatorClient({
    allowedHosts: settings.egressAllowedHosts,
    allowedPorts: settings.egressAllowedPorts,
    internalHosts,
    userAgent: 'arrowhead',
  })
  return createModels({
    protocol: PROTOCOLS[provider], endpoint: endpoint ?? ANTHROPIC_ENDPOINT,
    model: settings.llmModel ?? (provider === 'ollama' ? await firstModel(client, new URL(endpoint ?? OLLAMA).origin, signal) : undefined),
    key: settings.llmApiKey, maxTokens, maxPromptChars,
    timeoutMs: Math.ceil(settings.llmTimeoutSeconds * 1000),
    roomTokens: Math.ceil(maxPromptChars / CHARS_PER_TOKEN) + maxTokens,
  }, { client, clock, quote: (text) => text })
}

/** The first model that Ollama has there. @throws Refusal `model.none` */
async function firstModel(client: OperatorClient, origin: string, signal: AbortSignal): Promise<string> {
  const { status, body } = await client
    .request({ method: 'GET', url: `${origin}/api/tags`, signal, maxBytes: TAGS_MAX_BYTES, timeoutMs: TAGS_TIMEOUT_MS })
    .catch((error: unknown) => {
      if (signal.aborted) throw error
      const isUnreachable = !(error instanceof Refusal) || error.code === 'egress.unreachable'
      throw refusal('model.none', isUnreachable ? NOBODY_LISTENS : nextOf(error.code), 'unreachable')
    })
  const name = status === 200 ? nameIn(new TextDecoder().decode(body)) : undefined
  if (name === undefined) throw refusal('model.none', 'pull one (ollama pull llama3.2), or name one in ARROWHEAD_LLM_MODEL', 'no model')
  return name
}

const NOBODY_LISTENS = 'nothing listens where Ollama should: start it (ollama serve) and pull a model (ollama pull llama3.2), or name a model with ARROWHEAD_LLM_PROVIDER, ARROWHEAD_LLM_ENDPOINT and ARROWHEAD_LLM_MODEL'

/** What whoever runs the assistant can do about a failure, by its closed term; the provider's own words are not read. */
function nextOf(reason: string): string {
  const [, next = 'try again later'] = NEXT.find(([term]) => term.test(reason)) ?? []
  return next
}

const NEXT: readonly (readonly [RegExp, string])[] = [
  [/timeout$/, 'it took too long: raise ARROWHEAD_LLM_TIMEOUT_SECONDS, or choose a smaller model'],
  [/^egress\.unreachable/, 'nothing answers there: start the model server, or correct ARROWHEAD_LLM_ENDPOINT'],
  [/^egress\.(?:address|host|port)/, 'the endpoint is private, or not on the egress lists: name its host and port in ARROWHEAD_LLM_INTERNAL_HOSTS, or in ARROWHEAD_EGRESS_ALLOWED_HOSTS and ARROWHEAD_EGRESS_ALLOWED_PORTS'],
  [/^egress\.|^media type|^not the protocol/, 'what answers there does not speak the protocol of ARROWHEAD_LLM_PROVIDER: correct that or ARROWHEAD_LLM_ENDPOINT'],
  [/^status 40[13]/, 'the model server wants another key: see ARROWHEAD_LLM_API_KEY'],
  [/^status 40[45]/, 'the model server has no such model, or serves nothing at that path: pull it, or correct ARROWHEAD_LLM_MODEL or ARROWHEAD_LLM_ENDPOINT (Ollama\u2019s ends in /api/chat)'],
  [/^status 4(?!29)/, 'the model server did not take the request: see ARROWHEAD_LLM_MODEL and ARROWHEAD_LLM_PROVIDER'],
  [/^empty/, 'it said nothing: try again, or choose another model'],
]

/** Models that make vectors stand in the same list, and cannot chat. */
const EMBEDS = /embed|\bbert\b|\bbge-|minilm/i

function nameIn(text: string): string | undefined {
  try {
    const { models } = JSON.parse(text) as { readonly models?: readonly { readonly name?: unknown; readonly details?: { readonly family?: unknown } }[] }
    const name = models?.find(({ name, details }) => typeof name === 'string' && name !== '' && !EMBEDS.test(`${name} ${String(details?.family)}`))?.name
    return name as string | undefined
  } catch {
    return undefined
  }
}

/** Text of a model as it may be shown: nothing hidden in it, and no secret of this server. */
export function showable(settings: Settings): (text: string) => string {
  const redact = createRedactor(secretValues(settings)) ?? ((text: string) => text)
  return (text) => redact(cleanText(text))
}
