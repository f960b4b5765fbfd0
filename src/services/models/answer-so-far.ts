/** Gathers an answer out of pieces that nobody checked, within a bound. */

import type { ChatCall, ChatTurn } from '../../kernel/ports/chat.ts'

const MAX_MODEL_NAME = 200
/** One decision is asked for at a time; what a provider sends beyond is no use. */
const MAX_CALLS = 8
const MAX_ID = 200

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0

const wordOf = (value: unknown): string => (typeof value === 'string' ? value.slice(0, MAX_ID) : '')

interface ChatCallSoFar {
  id: string
  name: string
  args: string
}

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
  readonly #calls: ChatCallSoFar[] = []
  /** The calls that pieces may still belong to, by the provider's key. */
  readonly #open = new Map<unknown, ChatCallSoFar>()
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

  /** A call, or a piece of one: pieces with one key are one call, whose arguments are put together, until another begins. */
  calling(key: unknown, { id, name, args }: { readonly id?: unknown; readonly name?: unknown; readonly args?: unknown }): void {
    if (this.isOver) return
    const call = this.#callOf(key, { id: wordOf(id), name: wordOf(name) })
    if (!call) return
    if (args === undefined || args === null) return
    // Arguments that are no text are those of one who writes them as what they are: left out, they would be another call.
    const piece = typeof args === 'string' ? args : JSON.stringify(args)
    call.args += piece
    this.#callChars += piece.length
    if (this.#callChars <= this.#maxChars) return
    // Half of a call is none, and must not look like a whole one.
    this.#stoppedEarly = true
    this.isOver = true
  }

  /** @returns undefined where there are as many calls as may be. */
  #callOf(key: unknown, { id, name }: Pick<ChatCallSoFar, 'id' | 'name'>): ChatCallSoFar | undefined {
    const open = this.#open.get(key)
    // Some servers count no calls: each has the same key, but a name and an id of its own. An id alone may be a new one with each piece.
    const isNext = open !== undefined && name !== '' && id !== '' && open.id !== '' && open.id !== id
    if (open && !isNext) {
      open.id ||= id
      // Some repeat an empty name with each piece.
      open.name = name || open.name
      return open
    }
    this.#open.delete(key)
    if (this.#calls.length >= MAX_CALLS) return undefined
    const call = { id, name, args: '' }
    this.#open.set(key, call)
    this.#calls.push(call)
    return call
  }

  /** How many calls there are so far. */
  get callCount(): number {
    return this.#calls.length
  }

  named(model: unknown): void {
    if (typeof model === 'string' && model !== '') this.#model = model.slice(0, MAX_MODEL_NAME)
  }

  counted(sent: unknown, received: unknown): void {
    if (isCount(sent)) this.#sent = sent
    if (isCount(received)) this.#received = received
  }

  /** @param reason the provider's word for why it stopped; `early` are those that mean before its end. */
  stopped(reason: unknown, early: readonly string[]): void {
    if (typeof reason === 'string') this.#stoppedEarly = early.includes(reason)
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
    return this.#text.trim() === '' && this.#calls.length === 0
  }

  turn(asked: string | undefined): ChatTurn {
    const calls = this.#calls.map((call, at): ChatCall => ({ ...call, id: call.id || `call-${at + 1}` }))
    const tokens = { ...(this.#sent !== undefined && { sent: this.#sent }), ...(this.#received !== undefined && { received: this.#received }) }
    return { text: this.#text, calls, lacksTools: false, tokens, model: this.#model || (asked ?? ''), isCut: this.#text.length >= this.#maxChars || this.#callChars > this.#maxChars || (this.#stoppedEarly ?? !this.#hasEnded) }
  }
}
