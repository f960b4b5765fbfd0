/** What a call came to, as the model reads it and as a person is told. The text is the chain's own, whatever it says. */

import { cutText, statusOf } from '../kernel/errand.ts'
import type { Status } from '../kernel/errand.ts'
import type { Outcome } from '../kernel/call.ts'
import { refusalText } from '../kernel/refusal.ts'
import type { Fields } from '../kernel/schema.ts'
import type { Conversation } from './conversation.ts'

/** A call that was made, under the id that the conversation knows it by. */
export interface Made {
  readonly id: string
  readonly name: string
  readonly args: Fields
}

/** Tells a conversation what a call came to. What it returned may be cited from then on. */
export function hear(conversation: Conversation, { id, name, args }: Made, outcome: Outcome, maxChars: number): Observation {
  const seen = observe(outcome, maxChars)
  if (seen.status === 'success') conversation.sources.add(args, seen.value)
  conversation.add({ kind: 'called', id, name, args: JSON.stringify(args), result: seen.text })
  return seen
}

export interface Observation {
  readonly status: Status
  /** At most `maxChars` and a mark. */
  readonly text: string
  /** What was returned, for finding sources in it. */
  readonly value: Fields
}

const NOTHING: Fields = {}

export function observe(outcome: Outcome, maxChars: number): Observation {
  const status = statusOf(outcome.is, outcome.is === 'refused' ? outcome.refusal.code : '') || 'error'
  switch (outcome.is) {
    case 'ok': {
      const { value, blocks } = outcome.answer
      const texts = blocks.flatMap((block) => (block.type === 'text' ? [block.text] : []))
      return { status, text: bounded([JSON.stringify(value), ...texts].join('\n'), maxChars), value }
    }
    case 'refused':
      return { status, text: `refused: ${refusalText(outcome.refusal)}`, value: NOTHING }
    case 'fault':
      return { status, text: `failed: internal error (incident ${outcome.incident})`, value: NOTHING }
    case 'ask':
      return { status, text: 'refused: a person must answer a question first', value: NOTHING }
    case 'task':
      return { status, text: JSON.stringify({ task_id: outcome.task.taskId }), value: NOTHING }
  }
}

const bounded = (text: string, maxChars: number): string => {
  if (text.length <= maxChars) return text
  const kept = cutText(text, maxChars)
  return `${kept}\n[cut: ${kept.length} of ${text.length} characters; the data ends here]`
}
