/**
 * Reads an answer while it arrives: server-sent events (WHATWG HTML §9.2), JSON lines, or one JSON text. Each
 * byte is looked at once, however the sender cuts its chunks.
 */

import type { AnswerSoFar } from './answer-so-far.ts'
import type { Protocol } from './protocol.ts'

export interface AnswerReader {
  /** @returns false when the answer is over. @throws Error for what is not the protocol. */
  push(chunk: Uint8Array): boolean
  /** Takes what was left open when the sender stopped. @throws Error */
  end(): void
}

type Line = (line: string) => void

/** The way to read a media type (RFC 9110 §8.3), or undefined for one that no model speaks. */
export function readerFor(contentType: string, protocol: Protocol, answer: AnswerSoFar): AnswerReader | undefined {
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase()
  const message = (text: string): void => protocol.piece(text.trim() === '[DONE]' ? '[DONE]' : JSON.parse(text), answer)
  switch (type) {
    case 'text/event-stream':
      return lineReader(eventLines(message), answer)
    case 'application/x-ndjson':
    case 'application/jsonl':
      return lineReader((line) => void (line.trim() !== '' && message(line)), answer)
    case 'application/json':
      return wholeReader((text) => protocol.whole(JSON.parse(text), answer))
    default:
      return undefined
  }
}

function lineReader(take: Line, answer: AnswerSoFar): AnswerReader {
  const decoder = new TextDecoder()
  let pending: string[] = []
  const lines = (text: string): void => {
    let from = 0
    for (let end = text.indexOf('\n'); end >= 0 && !answer.isOver; end = text.indexOf('\n', from)) {
      const line = pending.join('') + text.slice(from, end)
      pending = []
      from = end + 1
      take(line.endsWith('\r') ? line.slice(0, -1) : line)
    }
    if (from < text.length) pending.push(text.slice(from))
  }
  return {
    push(chunk) {
      lines(decoder.decode(chunk, { stream: true }))
      return !answer.isOver
    },
    end: () => lines(`${decoder.decode()}\n\n`),
  }
}

/** Data fields of one event make one message; every other field and every comment is left alone. */
function eventLines(message: Line): Line {
  let data: string[] = []
  return (line) => {
    if (line === '') {
      const text = data.join('\n')
      data = []
      if (text !== '') message(text)
    } else if (line.startsWith('data:')) data.push(line.slice(line[5] === ' ' ? 6 : 5))
  }
}

function wholeReader(take: Line): AnswerReader {
  const decoder = new TextDecoder()
  const parts: string[] = []
  return {
    push(chunk) {
      parts.push(decoder.decode(chunk, { stream: true }))
      return true
    },
    end() {
      parts.push(decoder.decode())
      take(parts.join(''))
    },
  }
}
