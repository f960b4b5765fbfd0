/** Opens the language model of the settings. Its protocol and the network load with the first prompt. */

import type { Settings } from '../config/index.ts'
import { newId } from '../exits/random.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Models } from '../kernel/ports/models.ts'
import { cleanText } from '../services/content/clean-text.ts'
import { createRedactor } from '../services/content/redactor.ts'
import { noModel } from '../services/models/no-model.ts'
import { createQuote } from '../services/models/quote.ts'
import { secretValues } from '../config/index.ts'
import type { AppOptions } from './ports.ts'

export function openModels(settings: Settings, clock: Clock, { ownAddresses }: AppOptions): Models {
  const { llmProvider: provider, llmMaxPromptChars: maxPromptChars } = settings
  if (provider === 'none') return noModel
  const quote = createQuote({ clean: cleanText, redact: createRedactor(secretValues(settings)) ?? ((text) => text), newId })
  let opened: Promise<Models> | undefined
  const open = async (): Promise<Models> => {
    const [{ createOperatorClient }, { ANTHROPIC_ENDPOINT, PROTOCOLS, createModels }] = await Promise.all([import('../exits/net/index.ts'), import('../services/models/index.ts')])
    const client = createOperatorClient({
      allowedHosts: settings.egressAllowedHosts,
      allowedPorts: settings.egressAllowedPorts,
      internalHosts: settings.llmInternalHosts ?? [],
      userAgent: 'arrowhead',
      ownAddresses,
    })
    return createModels({
      protocol: PROTOCOLS[provider],
      endpoint: settings.llmEndpoint ?? ANTHROPIC_ENDPOINT,
      model: settings.llmModel,
      key: settings.llmApiKey,
      maxTokens: settings.llmMaxTokens,
      timeoutMs: Math.ceil(settings.llmTimeoutSeconds * 1000),
      maxPromptChars,
    }, { client, clock, quote })
  }
  return { maxPromptChars, quote, complete: async (request) => (await (opened ??= open())).complete(request) }
}
