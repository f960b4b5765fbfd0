/**
 * One pass over a text that says where a rule has to look. Three characters, folded to five bits each, are looked up
 * in a table of 32,768 entries; only a hit is compared with the literals behind it. Linear for every text.
 */

import { isAlnum, isDigit, opensAt } from './edges.ts'
import { isSeparator } from './personal/separators.ts'
import type { Anchor, Find, Rule } from './rule.ts'

const TRIGRAMS = 1 << 15
const MASK = TRIGRAMS - 1
const MIN_DIGITS = 8
const NUMBER_REACH = 26

const fold = (hash: number, code: number): number => ((hash << 5) | (code & 31)) & MASK

interface Entry {
  readonly anchor: Anchor
  /** The literal as it is compared: in lower case if any case counts. */
  readonly literal: string
  /** Where in the literal the three characters are by which it is found. */
  readonly offset: number
  readonly rule: number
}

const NOTHING: Entry[] = []

export interface Prefilter {
  /** @param ask is called with the number of a rule, its question, and where to put it. */
  sweep(text: string, ask: (rule: number, find: Find, at: number) => void): void
}

/** How rare a folded trigram should be: letters that stand together in many words make a poor filter. */
const COMMON = new Set(['pas', 'sec', 'tok', 'key', 'pat', 'api', 'coo', 'bas', 'aut', 'cre', 'mac', 'doc', 'hel', 'pod', 'tes', 'liv', 'com', 'ant', 'the', 'ing', 'ion'])

/** Offset of the rarest-looking three characters of a literal. */
function rarest(literal: string): number {
  for (let offset = 0; offset + 3 <= literal.length; offset += 1) {
    const three = literal.slice(offset, offset + 3).toLowerCase()
    if (!COMMON.has(three) && !/^[a-z]{3}$/.test(three)) return offset
  }
  return 0
}

export function createPrefilter(rules: readonly Rule[]): Prefilter {
  const isStart = new Uint8Array(TRIGRAMS)
  const buckets: Entry[][] = Array.from({ length: TRIGRAMS }, () => NOTHING)
  const onNumber: { readonly rule: number; readonly find: Find }[] = []
  const onAt: { readonly rule: number; readonly find: Find }[] = []
  rules.forEach((rule, index) => {
    for (const anchor of rule.anchors ?? []) {
      const literal = anchor.anyCase === true ? anchor.literal.toLowerCase() : anchor.literal
      const offset = rarest(literal)
      const hash = [...literal.slice(offset, offset + 3)].reduce((sum, char) => fold(sum, char.charCodeAt(0)), 0)
      isStart[hash] = 1
      buckets[hash] = [...(buckets[hash] ?? []), { anchor, literal, offset, rule: index }]
    }
    if (rule.kind === 'personal' && rule.onNumber) onNumber.push({ rule: index, find: rule.onNumber })
    if (rule.kind === 'personal' && rule.onAt) onAt.push({ rule: index, find: rule.onAt })
  })

  const compare = (text: string, hash: number, end: number, ask: (rule: number, find: Find, at: number) => void): void => {
    for (const { anchor, literal, offset, rule } of buckets[hash] ?? NOTHING) {
      const at = end - 2 - offset
      if (at < 0) continue
      const isHere = anchor.anyCase === true ? text.slice(at, at + literal.length).toLowerCase() === literal : text.startsWith(literal, at)
      if (isHere) ask(rule, anchor.find, at)
    }
  }

  return {
    sweep(text, ask) {
      let hash = 0
      for (let i = 0; i < text.length; i += 1) {
        const code = text.charCodeAt(i)
        hash = ((hash << 5) | (code & 31)) & MASK
        if (isStart[hash] === 1) compare(text, hash, i, ask)
        if (code < 58 && code > 47 && beginsNumber(text, i)) for (const { rule, find } of onNumber) ask(rule, find, i)
      }
      for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) for (const { rule, find } of onAt) ask(rule, find, at)
    },
  }
}

// No separator is beyond the ideographic blank.
const JOINTS = 0x3001
const isJoint = Uint8Array.from({ length: JOINTS }, (_, code) => Number(code === 40 || code === 41 || isSeparator(String.fromCharCode(code))))

const isLetter = (code: number): boolean => isAlnum(code) && !isDigit(code)

/** Whether the digits come after the country of an IBAN or the names of a fiscal code. */
function followsLetters(text: string, at: number): boolean {
  let letters = 0
  while (letters < 7 && isLetter(text.charCodeAt(at - 1 - letters))) letters += 1
  return (letters === 2 || letters === 6) && isDigit(text.charCodeAt(at + 1)) && !isDigit(text.charCodeAt(at - 1 - letters))
}

/** Whether the digit at `at` is the first of its group, and enough digits follow with nothing but marks between them. */
function beginsNumber(text: string, at: number): boolean {
  const previous = text.charCodeAt(at - 1)
  if (isAlnum(previous)) return isLetter(previous) && (followsLetters(text, at) || (opensAt(text, at) && hasDigits(text, at)))
  return hasDigits(text, at)
}

function hasDigits(text: string, at: number): boolean {
  let digits = 0
  let joints = 0
  for (let i = at; i < at + NUMBER_REACH; i += 1) {
    const code = text.charCodeAt(i)
    if (isDigit(code)) {
      joints = 0
      digits += 1
      if (digits >= MIN_DIGITS) return true
    } else if (code < JOINTS && isJoint[code] === 1 && joints < 3) joints += 1
    else return false
  }
  return false
}
