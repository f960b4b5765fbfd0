/** One response of a provider while it arrives: judged by its head, read as its media type says, never kept whole. */

import type { OperatorResponse } from '../../exits/net/index.ts'
import { AnswerSoFar } from './answer-so-far.ts'
import type { Protocol } from './protocol.ts'
import { readerFor } from './read-answer.ts'
import type { AnswerReader } from './read-answer.ts'

type Head = Pick<OperatorResponse, 'status' | 'headers'>

export class Incoming {
  readonly answer: AnswerSoFar
  readonly #protocol: Protocol
  #reader: AnswerReader | undefined
  #isBroken = false

  constructor(protocol: Protocol, maxChars: number, onText?: (piece: string) => void) {
    this.#protocol = protocol
    this.answer = new AnswerSoFar(maxChars, onText)
  }

  /** @returns false when nothing more is wanted. */
  receive(chunk: Uint8Array, head: Head): boolean {
    // The text of a failure is the provider's own, so nothing reads it.
    if (head.status !== 200) return false
    this.#reader ??= this.#readerOf(head)
    return this.#reader !== undefined && this.#tries((reader) => reader.push(chunk))
  }

  /** Ends a response of status 200. @returns what is wrong with it, in a closed term, if anything is. */
  end(head: Head): string | undefined {
    this.#reader ??= this.#readerOf(head)
    if (this.#reader === undefined) return 'media type'
    if (!this.answer.isOver && !this.#isBroken) this.#tries((reader) => reader.end())
    if (this.#isBroken) return 'not the protocol'
    if (this.answer.hasFailed) return 'reported'
    return this.answer.isEmpty ? 'empty' : undefined
  }

  #readerOf({ headers }: Head): AnswerReader | undefined {
    return readerFor(headers['content-type'] ?? '', this.#protocol, this.answer)
  }

  #tries(read: (reader: AnswerReader) => unknown): boolean {
    try {
      return this.#reader !== undefined && read(this.#reader) === true
    } catch {
      this.#isBroken = true
      return false
    }
  }
}
