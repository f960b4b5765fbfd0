/**
 * Redacts a text that arrives in pieces. Whole lines leave at once, since but for private keys no value goes over the
 * end of one; what is held back is bounded.
 */

import { openKeyAt } from './rules/private-keys.ts'
import type { Finding, Scanner } from './scanner.ts'

export interface RedactingStream {
  /** @returns what can leave; possibly nothing. */
  push(chunk: string): string
  /** @returns the rest. The stream is over. */
  end(): string
}

/** A line longer than this leaves in parts, of which the last so many characters wait for what follows. */
const MAX_LINE = 65_536
const OVERLAP = 16_384
const CONTEXT = 256
/** A private key longer than this is cut, and its rest removed piece by piece. */
const MAX_KEY = 262_144
const KEY_TAIL = 256
/** Stands for the lines of a key that are gone already. */
const KEY_FILLER = 'Ab1+'.repeat(16)

export function createRedactingStream(scanner: Scanner): RedactingStream {
  // What waits, with some text before it that has left already and only tells what the beginning means.
  let buffer = ''
  let sent = 0
  let inKey = ''

  const take = (upTo: number, findings: readonly Finding[]): string => {
    let [out, from] = ['', sent]
    for (const { start, end, placeholder } of findings) {
      if (end > upTo) break
      if (end <= from) continue
      out += start < sent ? '' : buffer.slice(from, start) + placeholder
      from = end
    }
    return out + buffer.slice(from, upTo)
  }

  const leave = (upTo: number, keep: number): void => {
    const from = Math.max(0, upTo - keep)
    sent = upTo - from
    buffer = buffer.slice(from)
  }

  /** Behind a line its whole is context, as the name whose value comes on the next line; a part of it would mean something else. */
  const contextOf = (upTo: number): number => {
    if (buffer[upTo - 1] !== '\n' && buffer[upTo - 1] !== '\r') return CONTEXT
    const line = upTo - buffer.lastIndexOf('\n', upTo - 2) - 1
    return line > CONTEXT ? 0 : line
  }

  /** The place up to which nothing that follows can change what was found. */
  const safeEnd = (findings: readonly Finding[]): number => {
    const feed = Math.max(buffer.lastIndexOf('\n'), buffer.lastIndexOf('\r')) + 1
    let safe = buffer.length - feed > MAX_LINE ? buffer.length - OVERLAP : feed
    const key = openKeyAt(buffer)
    if (key !== undefined) safe = Math.min(safe, key)
    for (const { start, end } of findings) if (start < safe && safe < end) safe = start
    return Math.max(sent, safe)
  }

  /** A key without end: its placeholder leaves, and its heading stays before the last line so that it is known as its own. */
  const cutKey = (key: number, findings: readonly Finding[]): string => {
    const found = findings.find(({ start, end }) => start >= key && end > sent)
    const heading = inKey || buffer.slice(key, buffer.indexOf('\n', key) + 1 || key + 64)
    const out = found === undefined ? take(buffer.length, findings) : take(found.start, findings) + (found.start < sent ? '' : found.placeholder)
    buffer = `${heading}${KEY_FILLER}\n${buffer.slice(Math.max(buffer.lastIndexOf('\n') + 1, buffer.length - KEY_TAIL))}`
    sent = buffer.length
    inKey = heading
    return out
  }

  return {
    push(chunk) {
      buffer += chunk
      const findings = scanner.scan(buffer)
      const key = openKeyAt(buffer)
      if (key !== undefined && (inKey !== '' || buffer.length - key > MAX_KEY)) return cutKey(key, findings)
      inKey = ''
      const upTo = safeEnd(findings)
      const out = take(upTo, findings)
      leave(upTo, contextOf(upTo))
      return out
    },
    end() {
      const out = take(buffer.length, scanner.scan(buffer))
      buffer = ''
      sent = 0
      return out
    },
  }
}
