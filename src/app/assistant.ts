/** Wires the assistant to an app: its model, its view of the catalogue, and the local user as whom it calls. */

import { createAssistant, createConversation } from '../assistant/index.ts'
import type { Assistant, AssistantEvent, Conversation, Ended, ToolCard } from '../assistant/index.ts'
import { systemClock } from '../exits/clock.ts'
import { newId } from '../exits/random.ts'
import type { ChatModel } from '../kernel/ports/chat.ts'
import type { JsonSchema } from '../kernel/schema.ts'
import { openChatModel, showable } from './chat-model.ts'
import type { App } from './create-app.ts'
import type { Kept } from './kept-sessions.ts'

export { createConversation }
export type { Assistant, AssistantEvent, Conversation, Ended }

export interface AssistantOptions {
  /** @default the one of the settings, or Ollama on this machine */
  readonly model?: ChatModel | undefined
  /** Where conversations are kept. @default nowhere */
  readonly kept?: Kept | undefined
}

export function openAssistant(app: Pick<App, 'settings' | 'dispatch' | 'local' | 'registry'>, { model, kept }: AssistantOptions = {}): Assistant {
  const { settings, dispatch, local } = app
  return createAssistant({
    dispatch, newId, kept,
    caller: local,
    model: model ?? openChatModel(settings, systemClock),
    timers: { ticks: () => systemClock.ticks(), after },
    tools: () => cardsOf(app),
    now: () => systemClock.now(),
    show: showable(settings),
  }, {
    maxSteps: settings.assistantMaxSteps,
    timeoutMs: settings.assistantTimeoutSeconds * 1000,
    toolCalling: settings.assistantToolCalling,
  })
}

const after = (ms: number, run: () => void): (() => void) => {
  const timer = setTimeout(run, ms)
  return () => clearTimeout(timer)
}

/** Every tool that the local user may see, as it is now. */
export const cardsOf = ({ registry, local }: Pick<App, 'registry' | 'local'>): readonly ToolCard[] =>
  registry.enabled.filter(({ list, scope }) => list === 'tools' && local.scopes.has(scope)).map(({ name, component, listed }) => {
    const { description, inputSchema } = listed()
    return {
      name, title: component.title, summary: String(description ?? ''), parameters: (inputSchema ?? {}) as JsonSchema,
      reads: component.effect === 'read', polls: component.polls,
    }
  })
