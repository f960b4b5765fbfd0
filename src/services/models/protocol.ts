/** What a provider's protocol must say: how a prompt is posted, and what the pieces of an answer mean. */

import { objectIn } from '../../kernel/json-object.ts'
import type { ChatMessage, ChatTool } from '../../kernel/ports/chat.ts'
import type { AnswerSoFar } from './answer-so-far.ts'

export interface Prompt {
  /** Undefined leaves the choice to the endpoint. */
  readonly model: string | undefined
  readonly system: string
  readonly messages: readonly ChatMessage[]
  readonly tools?: readonly ChatTool[] | undefined
  /** Whether one JSON object is wanted. */
  readonly json?: boolean | undefined
  /** Tokens of prompt and answer that the model must have room for, where it must be told. */
  readonly roomTokens?: number | undefined
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

/** The arguments of a call as an object; unchecked text that is none becomes an empty one. */
export const objectOf = (text: string): object => objectIn(text) ?? {}

/** Tools as OpenAI and those who followed name them; nothing where there are none. */
export const functionsOf = (tools: readonly ChatTool[] | undefined): object =>
  tools === undefined || tools.length === 0 ? {} : { tools: tools.map(({ name, description, parameters }) => ({ type: 'function', function: { name, description, parameters } })) }
