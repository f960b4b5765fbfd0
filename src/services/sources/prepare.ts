/**
 * Makes a text fit to be shown without moving its lines: cleaned line by line, and redacted as a whole, so that a
 * secret over several lines is found although a snippet may hold one of them.
 */

import { createHash } from 'node:crypto'
import type { Excerpt, SourceText } from '../../kernel/ports/sources.ts'

export interface FoundSecret {
  readonly start: number
  readonly end: number
  /** Lines of the start and the end, from 1. */
  readonly line: number
  readonly lastLine: number
  /** What stands instead. */
  readonly placeholder: string
}

export interface PreparePorts {
  /** Removes what a person would not see. */
  readonly clean: (text: string) => string
  /** Removes secrets of this server. */
  readonly redact: (text: string) => string
  /** Finds credentials and personal data, in order and apart. */
  readonly scan: (text: string) => readonly FoundSecret[]
}

const LINE_END = /\r?\n/
const ALL_LINE_ENDS = /\n/g

export function prepare(text: string, ports: PreparePorts): SourceText {
  const { clean, redact, scan } = ports
  const sha256 = createHash('sha256').update(text).digest('hex')
  const raw = text.split(LINE_END)
  // A text that ends with a line end has no line after it.
  if (raw.length > 1 && raw.at(-1) === '') raw.pop()
  const plain = raw.map((line) => oneLine(clean(line))).join('\n')
  const found = scan(plain)
  const lines = withoutSecrets(plain, found).split('\n').map((line) => oneLine(redact(line)))
  return { lines, sha256, excerpt: (from, to) => excerpt(lines.slice(from - 1, to).join('\n'), { found, from, to, scan }) }
}

interface Cut extends Pick<PreparePorts, 'scan'> {
  readonly found: readonly FoundSecret[]
  readonly from: number
  readonly to: number
}

function excerpt(text: string, { found, from, to, scan }: Cut): Excerpt {
  const alone = scan(text)
  const before = found.filter(({ line, lastLine }) => line <= to && lastLine >= from).length
  return { text: withoutSecrets(text, alone), redactions: before + alone.length }
}

/** Cleaning may turn a separator into a line end, and what was one line stays one. */
const oneLine = (line: string): string => (line.includes('\n') || line.includes('\r') ? line.replace(/[\r\n]+/g, ' ') : line)

/** Line ends inside of a secret stay, so that every other line keeps its number. */
function withoutSecrets(text: string, found: readonly FoundSecret[]): string {
  let [shown, from] = ['', 0]
  for (const { start, end, placeholder } of found) {
    const ends = text.slice(start, end).match(ALL_LINE_ENDS) ?? []
    shown += text.slice(from, start) + placeholder + ends.join('')
    from = end
  }
  return shown + text.slice(from)
}
