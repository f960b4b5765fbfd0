/**
 * The assistant: a model that may only choose, as one more caller of the chain. It is asked for one decision, the
 * decision is read by code and dispatched like any other call, and what came of it is shown to the model, until it
 * answers or a bound is met. Nothing that it or a result says reaches a level, an approval or a name.
 */

import { createKeeper } from './keeper.ts'
import { hear } from './observe.ts'
import { resultChars, Running } from './running.ts'
import type { Assistant, AssistantLimits, AssistantPorts } from './words.ts'

export function createAssistant(ports: AssistantPorts, limits: AssistantLimits): Assistant {
  const keeper = createKeeper(ports.kept, ports.now)
  return {
    async ask(request) {
      const running = new Running({ ...ports, keeper }, limits, request)
      try {
        return await running.toEnd()
      } finally {
        running.end()
      }
    },
    heard: (conversation, { tool, args }, outcome) => void hear(conversation, { id: ports.newId(), name: tool, args }, outcome, resultChars(ports.model)),
  }
}
