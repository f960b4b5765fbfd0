/**
 * Opens the language model of the assistant: the one of the settings, or Ollama on this machine where none is named.
 * Its protocol and the network load with the first prompt.
 */

import { secretValues } from '../config/index.ts'
import type { Settings } from '../config/index.ts'
import type { ChatModel } from '../kernel/ports/chat.ts'
import type { Clock } from '../kernel/clock.ts'
import { refusal } from '../kernel/refusal.ts'
import type { OperatorClient } from '../exits/net/index.ts'
import { cleanText } from '../services/content/clean-text.ts'
import { createRedactor } from '../services/content/redactor.ts'

/** Where Ollama listens unless told otherwise. It is reachable because it is what the operator did not change. */
const OLLAMA = 'http://localhost:11434'
const CHARS_PER_TOKEN = 3
const [TAGS_MAX_BYTES, TAGS_TIMEOUT_MS] = [1_000_000, 10_000]

export function openChatModel(settings: Settings, clock: Clock): ChatModel {
  let opened: Promise<ChatModel> | undefined
  let known: ChatModel | undefined
  const open = async (signal: AbortSignal): Promise<ChatModel> => (known = await load(settings, clock, signal))
  return {
    maxPromptChars: settings.llmMaxPromptChars,
    get speaksTools() {
      return known?.speaksTools ?? true
    },
    async chat(request) {
      // A failed look for a model is no reason not to look again.
      opened ??= open(request.signal).catch((error: unknown) => {
        opened = undefined
        throw error
      })
      return (await opened).chat(request)
    },
  }
}

async function load(settings: Settings, clock: Clock, signal: AbortSignal): Promise<ChatModel> {
  const { llmProvider, llmInternalHosts = [], llmMaxPromptChars: maxPromptChars, llmMaxTokens: maxTokens } = settings
  const isOurs = llmProvider === 'none'
  const provider = isOurs ? 'ollama' : llmProvider
  const [{ createOperatorClient }, { ANTHROPIC_ENDPOINT, PROTOCOLS, createModels }] = await Promise.all([import('../exits/net/index.ts'), import('../services/models/index.ts')])
  const client = createOperatorClient({
    allowedHosts: settings.egressAllowedHosts,
    allowedPorts: settings.egressAllowedPorts,
    internalHosts: isOurs ? [...llmInternalHosts, new URL(OLLAMA).host] : llmInternalHosts,
    userAgent: 'arrowhead',
  })
  const endpoint = isOurs ? `${OLLAMA}/api/chat` : (settings.llmEndpoint ?? ANTHROPIC_ENDPOINT)
  return createModels({
    protocol: PROTOCOLS[provider], endpoint,
    model: settings.llmModel ?? (isOurs ? await firstModel(client, signal) : undefined),
    key: settings.llmApiKey, maxTokens, maxPromptChars,
    timeoutMs: Math.ceil(settings.llmTimeoutSeconds * 1000),
    roomTokens: Math.ceil(maxPromptChars / CHARS_PER_TOKEN) + maxTokens,
  }, { client, clock, quote: (text) => text })
}

/** The first model that Ollama has here. @throws Refusal `model.none` */
async function firstModel(client: OperatorClient, signal: AbortSignal): Promise<string> {
  const none = (reason: string) => refusal('model.none', 'start Ollama and pull a model, or name one in the settings', reason)
  const { status, body } = await client
    .request({ method: 'GET', url: `${OLLAMA}/api/tags`, signal, maxBytes: TAGS_MAX_BYTES, timeoutMs: TAGS_TIMEOUT_MS })
    .catch(() => { throw none('unreachable') })
  const name = status === 200 ? nameIn(new TextDecoder().decode(body)) : undefined
  if (name === undefined) throw none('no model')
  return name
}

function nameIn(text: string): string | undefined {
  try {
    const { models } = JSON.parse(text) as { readonly models?: readonly { readonly name?: unknown }[] }
    const name = models?.[0]?.name
    return typeof name === 'string' && name !== '' ? name : undefined
  } catch {
    return undefined
  }
}

/** Text of a model as it may be shown: nothing hidden in it, and no secret of this server. */
export function showable(settings: Settings): (text: string) => string {
  const redact = createRedactor(secretValues(settings)) ?? ((text: string) => text)
  return (text) => redact(cleanText(text))
}
