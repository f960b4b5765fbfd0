/**
 * A strict reader of JSON (RFC 8259) that writes the canonical form as it reads: members sorted by UTF-16 code
 * units without blanks (RFC 8785), numbers exact, strings and names clean, line ends of Unicode spelled. Linear time
 * but for the sorting.
 */

import { refusal } from '../../kernel/refusal.ts'
import { cleanName, cleanText } from './clean-text.ts'
import { canonicalNumber } from './json-number.ts'

/** A string that is its own canonical form. */
const PLAIN = /"[ !#-[\]-~]*"/y
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y
const LITERALS = ['true', 'false', 'null'] as const
/** What ends a line, or a page, to some reader: cleaning would take it for a line feed or away. */
const SPELLED = /([\b\f\r\u2028\u2029]+)/u
/** Those of them that no escape has a letter for. */
const BREAKS = /[\u2028\u2029]/gu
const LONE_SURROGATE = /\p{Cs}/u

/** Where the reader stands. */
interface Reader {
  readonly text: string
  readonly maxElements: number
  at: number
  elements: number
}

/**
 * @param text nested no deeper than the stack can bear.
 * @param maxElements values in all, those in objects and arrays counted one by one.
 * @throws Refusal `content.json` or `content.too-large`.
 */
export function readJson(text: string, maxElements: number): string {
  const reader: Reader = { text, maxElements, at: 0, elements: 0 }
  skipBlanks(reader)
  const value = readValue(reader)
  skipBlanks(reader)
  return reader.at === text.length ? value : notJson()
}

const notJson = (hint = 'the text does not follow the grammar of RFC 8259'): never => {
  throw refusal('content.json', hint)
}

function skipBlanks(reader: Reader): void {
  const { text } = reader
  let { at } = reader
  for (let unit = text.charCodeAt(at); unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09; unit = text.charCodeAt(at)) at += 1
  reader.at = at
}

const took = (reader: Reader, character: string): boolean => {
  if (reader.text[reader.at] !== character) return false
  reader.at += 1
  skipBlanks(reader)
  return true
}

/** @param name of the member that the value belongs to, if it belongs to one. */
function readValue(reader: Reader, name?: string): string {
  reader.elements += 1
  if (reader.elements > reader.maxElements) throw refusal('content.too-large', 'it has too many elements')
  if (took(reader, '{')) return readObject(reader, name)
  if (took(reader, '[')) return readArray(reader)
  if (reader.text[reader.at] === '"') return readString(reader, cleanText).written
  const literal = LITERALS.find((word) => reader.text.startsWith(word, reader.at))
  if (literal === undefined) return readNumber(reader)
  reader.at += literal.length
  return literal
}

function readArray(reader: Reader): string {
  const items: string[] = []
  if (took(reader, ']')) return '[]'
  do {
    items.push(readValue(reader))
    skipBlanks(reader)
  } while (took(reader, ','))
  return took(reader, ']') ? `[${items.join(',')}]` : notJson()
}

function readObject(reader: Reader, owner: string | undefined): string {
  const members = new Map<string, string>()
  if (took(reader, '}')) return '{}'
  do {
    if (reader.text[reader.at] !== '"') return notJson()
    const { value: name, written } = readString(reader, cleanName)
    skipBlanks(reader)
    if (!took(reader, ':')) return notJson()
    const value = readValue(reader, name)
    if (members.has(name)) return notJson('an object names the same key twice')
    members.set(name, `${written}:${value}`)
    skipBlanks(reader)
  } while (took(reader, ','))
  return took(reader, '}') ? joined(members, owner) : notJson()
}

/** Names that reach an object's prototype when a careless reader merges them are left out. */
const joined = (members: Map<string, string>, owner: string | undefined): string => {
  members.delete('__proto__')
  if (owner === 'constructor') members.delete('prototype')
  const names = [...members.keys()].sort()
  return `{${names.map((name) => members.get(name)).join(',')}}`
}

interface CleanString {
  readonly value: string
  /** Canonical, with its quotes. */
  readonly written: string
}

function readString(reader: Reader, clean: (text: string) => string): CleanString {
  const start = reader.at
  PLAIN.lastIndex = start
  if (PLAIN.test(reader.text)) {
    reader.at = PLAIN.lastIndex
    const written = reader.text.slice(start, reader.at)
    return { value: written.slice(1, -1), written }
  }
  const spelled = unescaped(reader.text.slice(start, stringEnd(reader)))
  if (LONE_SURROGATE.test(spelled)) return notJson('a string holds half of a surrogate pair')
  const value = cleaned(spelled, clean)
  return { value, written: JSON.stringify(value).replace(BREAKS, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`) }
}

function stringEnd(reader: Reader): number {
  let end = reader.at + 1
  for (let unit = reader.text.charCodeAt(end); unit !== 0x22; unit = reader.text.charCodeAt(end)) {
    if (Number.isNaN(unit)) return notJson()
    end += unit === 0x5c ? 2 : 1
  }
  reader.at = end + 1
  return reader.at
}

/** Controls that JSON has a short escape for stay, and line ends of Unicode: the text spells them, so they are seen and do nothing. */
const cleaned = (value: string, clean: (text: string) => string): string =>
  SPELLED.test(value) ? value.split(SPELLED).map((part, index) => (index % 2 === 1 ? part : clean(part))).join('') : clean(value)

/** One string with its quotes; the platform's parser knows every escape and refuses raw controls. */
const unescaped = (quoted: string): string => {
  try {
    return JSON.parse(quoted) as string
  } catch {
    return notJson()
  }
}

function readNumber(reader: Reader): string {
  NUMBER.lastIndex = reader.at
  const lexeme = NUMBER.exec(reader.text)?.[0]
  if (lexeme === undefined) return notJson()
  reader.at += lexeme.length
  return canonicalNumber(lexeme)
}
