/** A language model that can be handed tools to choose from. Whatever it says is text from outside. */

import type { JsonSchema } from '../schema.ts'
import type { Completion, ModelMessage } from './models.ts'

/** One tool as a model is told of it. */
export interface ChatTool {
  readonly name: string
  readonly description: string
  readonly parameters: JsonSchema
}

/** A call that a model asks for. Both texts are unchecked. */
export interface ChatCall {
  /** The provider's name for it, or one of ours. */
  readonly id: string
  readonly name: string
  /** JSON text of the arguments, as the model wrote it. */
  readonly args: string
}

export type ChatMessage =
  | ModelMessage
  | { readonly role: 'assistant'; readonly content: string; readonly call: ChatCall }
  | { readonly role: 'tool'; readonly id: string; readonly name: string; readonly content: string }

export interface ChatRequest {
  readonly system: string
  readonly messages: readonly ChatMessage[]
  readonly tools?: readonly ChatTool[]
  /** Whether the answer is wanted as one JSON object, where the provider can be told so. */
  readonly json?: boolean
  /** @default the operator's limit, which also bounds a larger wish */
  readonly maxTokens?: number
  readonly signal: AbortSignal
  /** Hears the text piece by piece as it arrives. */
  readonly onText?: (piece: string) => void
}

export interface ChatTurn extends Completion {
  /** In the order in which they were asked for. */
  readonly calls: readonly ChatCall[]
  /** Whether the provider refused the request because of its tools; then nothing else was said. */
  readonly lacksTools: boolean
}

export interface ChatModel {
  /** Longest prompt, system text included, in UTF-16 units. */
  readonly maxPromptChars: number
  /** Whether tools may be handed over; turns false when the provider refused them. */
  readonly speaksTools: boolean
  /** @throws Refusal as `Models.complete` does */
  chat(request: ChatRequest): Promise<ChatTurn>
}
