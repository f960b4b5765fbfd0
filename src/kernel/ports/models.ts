/** A language model as a port. What it answers is text from outside, whatever it was asked. */

export interface ModelMessage {
  readonly role: 'user' | 'assistant'
  /** Text of ours; what came from outside stands in it only as `quote` gives it. */
  readonly content: string
}

export interface ModelRequest {
  readonly system: string
  readonly messages: readonly ModelMessage[]
  /** Most tokens of the answer. @default the operator's limit, which also bounds a larger wish */
  readonly maxTokens?: number
  readonly signal: AbortSignal
}

export interface Completion {
  readonly text: string
  /** As the provider counted them; absent where it did not say. */
  readonly tokens: { readonly sent?: number; readonly received?: number }
  /** The model that answered in the provider's words, or else the one that was asked for; may be empty. */
  readonly model: string
  /** Whether the answer ends early: at its limit, or because the provider left. */
  readonly isCut: boolean
}

export interface Models {
  /** Longest prompt, system text included, in UTF-16 units. */
  readonly maxPromptChars: number
  /** Text from outside as data: cleaned, without secrets of this server, between fences that it cannot forge. */
  quote(text: string): string
  /**
   * @throws Refusal `model.none`; `model.prompt` when the prompt is too long; `model.failed` whatever else went
   * wrong at the provider, its reason for the audit alone; the refusal of the signal.
   */
  complete(request: ModelRequest): Promise<Completion>
}
