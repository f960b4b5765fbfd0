/** What a provider's protocol must say: how a prompt is posted, and what the pieces of an answer mean. */

import type { ModelMessage } from '../../kernel/ports/models.ts'
import type { AnswerSoFar } from './answer-so-far.ts'

export interface Prompt {
  /** Undefined leaves the choice to the endpoint. */
  readonly model: string | undefined
  readonly system: string
  readonly messages: readonly ModelMessage[]
  readonly maxTokens: number
  /** Where it is posted; some endpoints know a field by a name of their own. */
  readonly host: string
}

export interface Protocol {
  headers(key: string | undefined): Readonly<Record<string, string>>
  /** The JSON that is posted; it asks for a stream. */
  body(prompt: Prompt): Readonly<Record<string, unknown>>
  /** Takes one message of a stream. */
  piece(message: unknown, answer: AnswerSoFar): void
  /** Takes the whole answer of a server that does not stream. */
  whole(message: unknown, answer: AnswerSoFar): void
}

/** The value at a path of own names and positions in unchecked JSON, or undefined. */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  let here = value
  for (const step of path) {
    if (here === null || typeof here !== 'object' || !Object.hasOwn(here, step)) return undefined
    here = (here as Readonly<Record<string | number, unknown>>)[step]
  }
  return here
}
