/** Gathers an answer out of pieces that nobody checked, within a bound. */

import type { ChatCall, ChatTurn } from '../../kernel/ports/chat.ts'

const MAX_MODEL_NAME = 200
/** One decision is asked for at a time; what a provider sends beyond is no use. */
const MAX_CALLS = 8
const MAX_ID = 200

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
  readonly #calls = new Map<unknown, { id: string; name: string; args: string }>()
  #callChars = 0
  readonly #maxChars: number
  readonly #onText: ((piece: string) => void) | undefined

  /** @param maxChars UTF-16 units of text, and of calls, that are kept; with more the answer is over, and cut. */
  constructor(maxChars: number, onText?: (piece: string) => void) {
    this.#maxChars = maxChars
    this.#onText = onText
  }

  add(text: unknown): void {
    if (typeof text !== 'string' || text === '' || this.isOver) return
    this.#text += text
    this.#onText?.(text)
    if (this.#text.length <= this.#maxChars) return
    this.#text = this.#text.slice(0, this.#maxChars).replace(/[\ud800-\udbff]$/, '')
    this.isOver = true
  }

  /** A call, or a piece of one: pieces with one key are one call, whose arguments are put together. */
  calling(key: unknown, { id, name, args }: { readonly id?: unknown; readonly name?: unknown; readonly args?: unknown }): void {
    if (this.isOver) return
    let call = this.#calls.get(key)
    if (!call) {
      if (this.#calls.size >= MAX_CALLS) return
      this.#calls.set(key, (call = { id: '', name: '', args: '' }))
    }
    if (typeof id === 'string') call.id = id.slice(0, MAX_ID)
    if (typeof name === 'string') call.name = name.slice(0, MAX_ID)
    if (typeof args !== 'string') return
    call.args += args
    this.#callChars += args.length
    if (this.#callChars <= this.#maxChars) return
    // Half of a call is none, and must not look like a whole one.
    this.#stoppedEarly = true
    this.isOver = true
  }

  /** How many calls there are so far. */
  get callCount(): number {
    return this.#calls.size
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
    return this.#text.trim() === '' && this.#calls.size === 0
  }

  turn(asked: string | undefined): ChatTurn {
    const calls = [...this.#calls.values()].map((call, at): ChatCall => ({ ...call, id: call.id || `call-${at + 1}` }))
    const tokens = { ...(this.#sent !== undefined && { sent: this.#sent }), ...(this.#received !== undefined && { received: this.#received }) }
    return { text: this.#text, calls, lacksTools: false, tokens, model: this.#model || (asked ?? ''), isCut: this.#text.length >= this.#maxChars || this.#callChars > this.#maxChars || (this.#stoppedEarly ?? !this.#hasEnded) }
  }
}
