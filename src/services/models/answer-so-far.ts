/** Gathers an answer out of pieces that nobody checked, within a bound. */

import type { Completion } from '../../kernel/ports/models.ts'

const MAX_MODEL_NAME = 200

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0

export class AnswerSoFar {
  /** Set when the provider said that its answer is complete, failed, or as long as it may be. */
  isOver = false
  /** Set when the provider reported a failure inside of its answer. */
  hasFailed = false
  #text = ''
  #model = ''
  #hasEnded = false
  #stoppedEarly: boolean | undefined
  #sent: number | undefined
  #received: number | undefined
  readonly #maxChars: number

  /** @param maxChars UTF-16 units of text that are kept; with more the answer is over, and cut. */
  constructor(maxChars: number) {
    this.#maxChars = maxChars
  }

  add(text: unknown): void {
    if (typeof text !== 'string' || this.isOver) return
    this.#text += text
    if (this.#text.length <= this.#maxChars) return
    this.#text = this.#text.slice(0, this.#maxChars).replace(/[\ud800-\udbff]$/, '')
    this.isOver = true
  }

  named(model: unknown): void {
    if (typeof model === 'string' && model !== '') this.#model = model.slice(0, MAX_MODEL_NAME)
  }

  counted(sent: unknown, received: unknown): void {
    if (isCount(sent)) this.#sent = sent
    if (isCount(received)) this.#received = received
  }

  /** @param reason the provider's word for why it stopped; `lengths` are those that mean too early. */
  stopped(reason: unknown, lengths: readonly string[]): void {
    if (typeof reason === 'string') this.#stoppedEarly = lengths.includes(reason)
  }

  /** The provider said that nothing more comes. */
  over(): void {
    this.isOver = true
    this.#hasEnded = true
  }

  failed(): void {
    this.hasFailed = true
    this.isOver = true
  }

  get isEmpty(): boolean {
    return this.#text.trim() === ''
  }

  completion(asked: string | undefined): Completion {
    const tokens = { ...(this.#sent !== undefined && { sent: this.#sent }), ...(this.#received !== undefined && { received: this.#received }) }
    return { text: this.#text, tokens, model: this.#model || (asked ?? ''), isCut: this.#text.length >= this.#maxChars || (this.#stoppedEarly ?? !this.#hasEnded) }
  }
}
