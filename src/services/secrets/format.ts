/**
 * A small language for token formats. `{an36}` is 36 letters or digits, `{url20,300}` a range; `(a|b)` offers
 * literals. The table of rules is written in it, and tests draw random tokens from it.
 */

import { closesAt, opensAt } from './edges.ts'
import { isDrawn } from './likelihood.ts'
import { RANK } from './rule.ts'
import type { Anchor, SecretRule } from './rule.ts'

/** Names of character classes, as the inside of a bracket expression. */
export const CLASSES: Readonly<Record<string, string>> = {
  an: 'A-Za-z0-9', anh: 'A-Za-z0-9-', al: 'A-Za-z', lo: 'a-z0-9', up: 'A-Z0-9', hex: 'a-f0-9', Hex: 'A-Fa-f0-9', d: '0-9',
  url: 'A-Za-z0-9_-', base: 'A-Za-z0-9+/', webbase: 'A-Za-z0-9+/_-', dot: 'A-Za-z0-9_.=-', tilde: 'A-Za-z0-9_~.-', pad: '=', bech: 'AC-HJ-NP-Z02-9',
}

export interface Run {
  readonly chars: string
  readonly min: number
  readonly max: number
}

export type Piece = string | Run

const RUN = /\{([A-Za-z]+)(\d+)(?:,(\d+))?\}/g
const UUID = '{hex8}-{hex4}-{hex4}-{hex4}-{hex12}'

/** Writes out `(a|b)` and `{uuid}`. */
function alternatives(format: string): readonly string[] {
  const choice = /\(([^()]*)\)/.exec(format)
  if (choice === null) return [format.replaceAll('{uuid}', UUID)]
  const [whole, options = ''] = choice
  return options.split('|').flatMap((option) => alternatives(format.replace(whole, () => option)))
}

function pieces(format: string): readonly Piece[] {
  const found: Piece[] = []
  let from = 0
  for (const { 0: whole, 1: name = '', 2: min = '', 3: max = min, index } of format.matchAll(RUN)) {
    if (index > from) found.push(format.slice(from, index))
    const chars = CLASSES[name]
    if (chars === undefined) throw new TypeError(`no class ${name}`)
    found.push({ chars, min: Number(min), max: Number(max) })
    from = index + whole.length
  }
  if (from < format.length) found.push(format.slice(from))
  return found
}

/** @returns one list of pieces for each alternative. @throws TypeError for a class that does not exist. */
export const parseFormat = (format: string): readonly (readonly Piece[])[] => alternatives(format).map(pieces)

const escaped = (literal: string): string => literal.replace(/[$()*+.?[\\\]^{|}/-]/g, '\\$&')
const source = (piece: Piece): string =>
  typeof piece === 'string' ? escaped(piece) : `[${piece.chars}]{${piece.min}${piece.max === piece.min ? '' : `,${piece.max}`}}`

export interface TokenSpec {
  readonly type: string
  readonly of: readonly string[]
  readonly no?: readonly string[]
  /** So distinctive that it also counts in the middle of a word. */
  readonly glued?: boolean
  /** Too plain to count as the end of a longer name, as in `cache-key-…`. */
  readonly alone?: boolean
  /** Not judged by its randomness: it has too few random characters, or none. */
  readonly fixed?: boolean
}

const MIN_ANCHOR = 3

function anchorOf(parts: readonly Piece[], { glued = false, alone = false, fixed = false }: TokenSpec): Anchor {
  const place = parts.findIndex((piece) => typeof piece === 'string' && piece.length >= MIN_ANCHOR)
  const literal = parts[place]
  if (typeof literal !== 'string') throw new TypeError('a format needs a literal of three characters')
  const reach = parts.slice(0, place).reduce((sum, piece) => sum + (typeof piece === 'string' ? piece.length : piece.max), 0)
  const lead = parts.slice(0, place).map((piece) => (typeof piece === 'string' ? escaped(piece) : piece.chars)).join('')
  const [whole, leads] = [new RegExp(parts.map(source).join(''), 'y'), new RegExp(`[${lead}]`)]
  const prefix = place === 0 ? literal.length : 0
  return {
    literal,
    find(text, at) {
      let start = at
      while (at - start < reach && start > 0 && leads.test(text.charAt(start - 1))) start -= 1
      if (!glued && !opensAt(text, start)) return undefined
      if (alone && (text[start - 1] === '-' || text[start - 1] === '_')) return undefined
      whole.lastIndex = start
      if (!whole.test(text) || whole.lastIndex < at + literal.length) return undefined
      const end = whole.lastIndex
      if (!glued && !closesAt(text, end)) return undefined
      return fixed || isDrawn(text.slice(start + prefix, end)) ? { start, end } : undefined
    },
  }
}

/** A rule for tokens that their issuer marks. */
export const tokens = (spec: TokenSpec): SecretRule => ({
  type: spec.type,
  kind: 'secret',
  rank: RANK.vendor,
  anchors: spec.of.flatMap(parseFormat).map((parts) => anchorOf(parts, spec)),
  yes: spec.of,
  no: spec.no ?? [],
})
