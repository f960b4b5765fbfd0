/**
 * The quantities of a document: every number of its text, and every number word before a unit of time, size or share.
 * Not quantities are names that hold a digit: those of `NAMES`, numbered steps, code, links and made-up examples in code.
 */

import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'
import type { Nodes } from 'mdast'

export interface Quantity {
  readonly text: string
  readonly value: number
  readonly unit: string | undefined
}

/** A paragraph, a heading or a row of a table. */
export interface Block {
  readonly line: number
  readonly quantities: readonly Quantity[]
  /** What the comments in it and after it name, and what the code in it is. */
  readonly proofs: readonly string[]
  readonly code: readonly string[]
  readonly cells: readonly string[]
}

/** Stands for code in a text. */
const CODE = '\uFFFC'
const PROOF = /^<!-- proof: ([\s\S]+?) -->$/

/** What looks like a quantity and is a name. */
const NAMES: readonly RegExp[] = [
  /\bRFC \d+/g,
  /§ ?\d+(?:\.\d+)*/g,
  /\b(?:Node(?:\.js)?|OAuth|PostgreSQL|Postgres|Redis|bubblewrap)(?: \(tested with)? \d+(?:\.\d+)*/g,
  /\b\d+\.\d+\.\d+(?:\.\d+)?\b/g,
  /\b\d{4}-\d{2}-\d{2}\b/g,
  // Ports, those of the web also without the word.
  /\bports? \d+/g,
  /\b(?:80|443|8443)\b/g,
  // Answers of HTTP, exit codes and users, as they are named everywhere.
  /\b(?:HTTP|answers?|answered with|status|must be|exit code|exit code is|user) \d+\b/g,
  /\(\d{3}\)/g,
  new RegExp(`\\b\\d+ (?=(?:with )?${CODE})`, 'g'),
  // Key lengths in the names of algorithms, and a formula of letters.
  /\b256, 384 or 512\b/g,
  /\b(?:Replicas|\d+|[a-zN]) [/×+] (?:\d+|[a-z])\b/g,
]

const WORDS: Readonly<Record<string, number>> = {
  half: 0.5, one: 1, two: 2, three: 3, four: 4, five: 5, six: 6, seven: 7, eight: 8, nine: 9, ten: 10, twelve: 12, fifteen: 15, twenty: 20, thirty: 30,
  sixty: 60, ninety: 90, hundred: 100, thousand: 1e3, million: 1e6,
}
const TIMES: Readonly<Record<string, number>> = {
  µs: 1e-6, ms: 1e-3, millisecond: 1e-3, s: 1, second: 1, minute: 60, hour: 3_600, day: 86_400, week: 604_800, month: 2_592_000, year: 31_536_000,
}
const SIZES: Readonly<Record<string, number>> = {
  byte: 1, kB: 1e3, KiB: 1_024, MB: 1e6, megabyte: 1e6, MiB: 1_048_576, GB: 1e9, GiB: 1_073_741_824, gigabyte: 1e9,
}
const UNITS: Readonly<Record<string, number>> = { ...TIMES, ...SIZES, '%': 1, percent: 1, '×': 1, million: 1e6 }
const UNIT = `(?:${Object.keys(UNITS).join('|')})s?(?![\\p{L}\\d])`
const DIGITS = new RegExp(`(?<![\\p{L}\\d.\\-/])(\\d[\\d,]*(?:\\.\\d+)?)(?: ?(${UNIT}))?`, 'gu')
const SPELLED = new RegExp(`(?<!\\p{L})(${Object.keys(WORDS).join('|')})(?: an?| more| working)? (${UNIT})`, 'giu')
const WITHIN = new RegExp(`(?<=\\bwithin an? )(${UNIT})`, 'gu')

const among = (units: Readonly<Record<string, number>>, unit: string): number | undefined => units[unit] ?? units[unit.replace(/s$/, '')]

/** The number that is meant, in seconds, bytes or as it stands. */
export const inBase = ({ value, unit }: Pick<Quantity, 'value' | 'unit'>): number => value * (unit === undefined ? 1 : (among(UNITS, unit) ?? 1))

/** What a unit measures. */
export function dimensionOf(unit: string | undefined): 'time' | 'size' | 'number' {
  if (unit === undefined) return 'number'
  return among(TIMES, unit) !== undefined ? 'time' : among(SIZES, unit) !== undefined ? 'size' : 'number'
}

export function quantitiesOf(text: string): readonly Quantity[] {
  const left = NAMES.reduce((rest, name) => rest.replaceAll(name, '\n'), text)
  return [
    ...[...left.matchAll(DIGITS)].map(([whole, digits = '', unit]) => ({ text: whole, value: Number(digits.replaceAll(',', '')), unit })),
    ...[...left.matchAll(SPELLED)].map(([whole, word = '', unit]) => ({ text: whole, value: WORDS[word.toLowerCase()] ?? 1, unit })),
    ...[...left.matchAll(WITHIN)].map(([whole]) => ({ text: `a ${whole}`, value: 1, unit: whole })),
  ]
}

/** @throws Error where a comment that begins with `proof` is not closed in the same paragraph. */
export function blocksOf(markdown: string): readonly Block[] {
  const tree = fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] })
  return within(tree, [])
}

function within(node: Nodes, inherited: readonly string[]): readonly Block[] {
  if (node.type === 'paragraph' || node.type === 'heading' || node.type === 'tableRow') return [blockOf(node, inherited)]
  if (!('children' in node)) return []
  return node.children.flatMap((child, index) => {
    const next = node.children[index + 1]
    return within(child, [...inherited, ...(next?.type === 'html' ? proofsIn(next.value) : [])])
  })
}

const proofsIn = (html: string): readonly string[] => (PROOF.exec(html.trim())?.[1] ?? '').split(';').map((one) => one.replaceAll(/\s+/g, ' ').trim()).filter((one) => one !== '')

function blockOf(node: Nodes, inherited: readonly string[]): Block {
  const parts = 'children' in node && node.type === 'tableRow' ? node.children.map(textOf) : [textOf(node)]
  const text = parts.join(' | ').replaceAll(/\s+/g, ' ')
  const leaves = leavesOf(node)
  return {
    line: node.position?.start.line ?? 0,
    // A heading may begin with the number of a step.
    quantities: quantitiesOf(node.type === 'heading' ? text.replace(/^\d+\. /, '') : text),
    proofs: [...leaves.flatMap((leaf) => (leaf.type === 'html' ? proofsIn(leaf.value) : [])), ...inherited],
    code: leaves.flatMap((leaf) => (leaf.type === 'inlineCode' ? [leaf.value] : [])),
    cells: parts,
  }
}

const leavesOf = (node: Nodes): readonly Nodes[] => ('children' in node ? node.children.flatMap(leavesOf) : [node])

const textOf = (node: Nodes): string => leavesOf(node).map((leaf) => (leaf.type === 'text' ? leaf.value : leaf.type === 'inlineCode' ? CODE : ' ')).join('')
