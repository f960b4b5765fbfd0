/** Conversations of the API, and one request of one of them. */

import { createConversation } from '../../app/assistant.ts'
import type { Assistant, AssistantEvent, Conversation, Ended } from '../../app/assistant.ts'
import { newPlace } from '../../app/ids.ts'
import type { Fields } from '../../kernel/schema.ts'
import { BY_TICKET } from './calls.ts'
import type { Calls, Reply } from './calls.ts'

const MAX_CONVERSATIONS = 100
/** Requests that are worked on at once. */
const MAX_RUNNING = 4

export interface ChatRequest {
  readonly message: string
  readonly conversation?: string
}

export interface Chats {
  /** @returns the whole answer; undefined when as many requests run as may, or another of the same conversation. */
  ask(request: ChatRequest, signal: AbortSignal, onEvent: (event: AssistantEvent) => void): Promise<Reply> | undefined
}

export function createChats(assistant: Assistant, calls: Calls): Chats {
  const conversations = new Map<string, Conversation>()
  const running = new Set<string>()

  /** The newest are kept; one that is not known any more begins anew under a new name. */
  const open = (wanted: string | undefined): readonly [id: string, conversation: Conversation] => {
    const found = wanted === undefined ? undefined : conversations.get(wanted)
    const id = found && wanted !== undefined ? wanted : newPlace()
    const conversation = found ?? createConversation()
    conversations.delete(id)
    conversations.set(id, conversation)
    for (const [oldest] of conversations) if (conversations.size > MAX_CONVERSATIONS && !running.has(oldest)) conversations.delete(oldest)
    return [id, conversation]
  }

  return {
    ask({ message, conversation: wanted }, signal, onEvent) {
      if (running.size >= MAX_RUNNING || (wanted !== undefined && running.has(wanted))) return undefined
      const [id, conversation] = open(wanted)
      running.add(id)
      return assistant
        .ask({ text: message, conversation, signal, arrival: BY_TICKET, onEvent })
        .then((ended) => replyOf(ended, id, pendingOf(ended, { text: message, conversation, calls, assistant })))
        .finally(() => running.delete(id))
    },
  }
}

interface Asked {
  readonly text: string
  readonly conversation: Conversation
  readonly calls: Calls
  readonly assistant: Assistant
}

function pendingOf(ended: Ended, { text, conversation, calls, assistant }: Asked): Fields {
  if (ended.is !== 'pending') return {}
  const { ticket, tool, args, ask } = ended.pending
  return calls.waits(ticket, { tool, args, ask, errand: { id: ended.request, text }, heard: (outcome) => assistant.heard(conversation, { tool, args }, outcome) })
}

function replyOf(ended: Ended, conversation: string, waits: Fields): Reply {
  const body = { request: ended.request, conversation, steps: ended.steps }
  switch (ended.is) {
    case 'answered':
      return { http: 200, body: { status: 'answered', ...body, answer: ended.text } }
    case 'stopped':
      return { http: 200, body: { status: 'stopped', ...body, why: ended.why, message: ended.says } }
    case 'pending':
      return { http: 202, body: { status: 'confirmation_required', ...body, ...waits } }
  }
}
