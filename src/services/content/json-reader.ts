/**
 * A strict reader of JSON (RFC 8259) that writes the canonical form as it reads: members sorted by UTF-16 code
 * units without blanks (RFC 8785), numbers exact, strings and names clean. Linear time but for the sorting.
 */

import { refusal } from '../../kernel/refusal.ts'
import { cleanName, cleanText } from './clean-text.ts'
import { canonicalNumber } from './json-number.ts'

const BLANKS = /[ \t\n\r]*/y
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y
const LITERALS = ['true', 'false', 'null'] as const
const SPELLED = /([\b\f\r]+)/u
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
  BLANKS.lastIndex = reader.at
  BLANKS.test(reader.text)
  reader.at = BLANKS.lastIndex
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
  if (reader.text[reader.at] === '"') return JSON.stringify(cleaned(readString(reader), cleanText))
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
    const name = cleaned(readString(reader), cleanName)
    skipBlanks(reader)
    if (!took(reader, ':')) return notJson()
    const value = readValue(reader, name)
    if (members.has(name)) return notJson('an object names the same key twice')
    members.set(name, value)
    skipBlanks(reader)
  } while (took(reader, ','))
  return took(reader, '}') ? joined(members, owner) : notJson()
}

/** Names that reach an object's prototype when a careless reader merges them are left out. */
const joined = (members: Map<string, string>, owner: string | undefined): string => {
  members.delete('__proto__')
  if (owner === 'constructor') members.delete('prototype')
  const names = [...members.keys()].sort()
  return `{${names.map((name) => `${JSON.stringify(name)}:${members.get(name) ?? ''}`).join(',')}}`
}

function readString(reader: Reader): string {
  const start = reader.at
  let end = start + 1
  for (let unit = reader.text.charCodeAt(end); unit !== 0x22; unit = reader.text.charCodeAt(end)) {
    if (Number.isNaN(unit)) return notJson()
    end += unit === 0x5c ? 2 : 1
  }
  reader.at = end + 1
  const value = unescaped(reader.text.slice(start, reader.at))
  return LONE_SURROGATE.test(value) ? notJson('a string holds half of a surrogate pair') : value
}

/** Controls that JSON has a short escape for stay: canonical text spells them, so they are seen and do nothing. */
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
