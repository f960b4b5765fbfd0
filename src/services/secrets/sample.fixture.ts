/** Draws texts from the templates of the rules: `{an36}` random characters, `{x36}` a filler, `|` nothing, `«»` the match. */

import { createHash } from 'node:crypto'
import { CLASSES, parseFormat } from './format.ts'
import type { Span } from './rule.ts'

/** A source of numbers from 0 to `below` - 1. */
export type Draw = (below: number) => number

/** Always the same numbers for the same seed. */
export function seeded(seed: string): Draw {
  let count = 0
  return (below) => createHash('sha256').update(`${seed} ${count++}`).digest().readUInt32LE(0) % below
}

const membersOf = (chars: string): string[] =>
  Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index)).filter((char) => new RegExp(`^[${chars}]$`).test(char))
const MEMBERS = new Map(Object.values(CLASSES).map((chars) => [chars, membersOf(chars)]))

/** One token of a format. */
export function drawToken(format: string, draw: Draw): string {
  const all = parseFormat(format)
  return (all[draw(all.length)] ?? []).map((piece) => {
    if (typeof piece === 'string') return piece
    const members = MEMBERS.get(piece.chars) ?? []
    const length = piece.min + draw(Math.min(piece.max, piece.min + 40) - piece.min + 1)
    return Array.from({ length }, () => draw(members.length))
      // No row of one mark, which would read as a part left out.
      .map((pick, at, picks) => members[pick === picks[at - 1] ? (pick + 1) % members.length : pick]).join('')
  }).join('')
}

export interface Sample extends Span {
  readonly text: string
}

const PLACE = /\{(uuid|[A-Za-z]+\d+(?:,\d+)?)\}/g

/** A text of an example, and where in it the match is. */
export function drawExample(template: string, draw: Draw): Sample {
  const written = template.replaceAll('|', '')
    .replace(PLACE, (_whole, name: string) => (name.startsWith('x') ? 'x'.repeat(Number(name.slice(1))) : drawToken(`{${name}}`, draw)))
  const [open, close] = [written.indexOf('«'), written.indexOf('»')]
  const text = written.replace(/[«»]/g, '')
  return open < 0 ? { text, start: 0, end: text.length } : { text, start: open, end: close - 1 }
}
