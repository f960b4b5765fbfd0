/**
 * Reads one decision out of a model's text: the first balanced JSON object, and nothing after it. Small slips are
 * mended by rules; whatever could mean two things, or was cut off, is no decision.
 */

import { isObject } from '../kernel/json-object.ts'
import type { Fields } from '../kernel/schema.ts'

export type Decision =
  | { readonly is: 'call'; readonly name: string; readonly args: Fields }
  | { readonly is: 'answer'; readonly text: string }
  /** `says` tells the model what was wrong, in words of ours. */
  | { readonly is: 'unreadable'; readonly says: string }

const MAX_TEXT = 1_000_000
const MAX_DEPTH = 64

const NAMES = ['tool', 'name', 'action'] as const
const ARGUMENTS = ['args', 'arguments', 'input', 'parameters'] as const

const unreadable = (says: string): Decision => ({ is: 'unreadable', says })

/** Text without any object is an answer: nothing can run because of it. */
export function parseDecision(given: string): Decision {
  const text = given.length > MAX_TEXT ? '' : given.trim()
  if (text === '') return unreadable('there was no text')
  const start = text.indexOf('{')
  if (start < 0) return { is: 'answer', text }
  const object = firstObject(text, start)
  if (object === undefined) return unreadable('the JSON object does not end')
  const value = parseObject(object)
  if (value === 'twice') return unreadable('an object names the same member twice')
  if (value === undefined && looksLikeDecision(object)) return unreadable('the object is not JSON')
  const decision = value && decisionOf(value)
  if (decision) return decision
  if (value && start === 0) return unreadable('the object names neither a tool nor an answer')
  // Prose with braces in it, such as code, is prose. A call that comes behind it was meant, and must not be lost.
  return callsIn(text, start + object.length) ? unreadable('an object that is no decision comes before the call; write the call and nothing else') : { is: 'answer', text }
}

/** Whether an object that names a tool stands in the rest of a text. */
function callsIn(text: string, from: number): boolean {
  for (let start = text.indexOf('{', from); start >= 0; start = text.indexOf('{', start)) {
    const object = firstObject(text, start)
    if (object === undefined) return false
    const value = object.includes('"tool"') ? parseObject(object) : undefined
    if (value && value !== 'twice' && decisionOf(value)?.is === 'call') return true
    start += object.length
  }
  return false
}

/** Arguments that came beside the text, as a provider's own calling gives them. */
export function parseCall(name: string, args: string): Decision {
  if (args.length > MAX_TEXT) return unreadable('the arguments are too long')
  const value = args.trim() === '' ? {} : parseObject(args)
  if (value === 'twice') return unreadable('the arguments name the same member twice')
  if (value === undefined) return unreadable('the arguments are not a JSON object')
  return name === '' ? unreadable('the call names no tool') : { is: 'call', name, args: value }
}

function decisionOf(value: Fields): Decision | undefined {
  const names = NAMES.filter((key) => typeof value[key] === 'string' && value[key] !== '')
  const [answer, name] = [value['answer'], names[0]]
  if (name === undefined) return typeof answer === 'string' ? { is: 'answer', text: answer } : undefined
  if (typeof answer === 'string' && answer !== '') return unreadable('the object names a tool and an answer')
  if (names.length > 1) return unreadable('the object names more than one tool')
  const given = ARGUMENTS.filter((key) => value[key] !== undefined && value[key] !== null)
  if (given.length > 1) return unreadable('the object has arguments twice')
  const args = given[0] === undefined ? {} : value[given[0]]
  return isObject(args) ? { is: 'call', name: String(value[name]), args } : unreadable('the arguments are not an object')
}

const looksLikeDecision = (object: string): boolean => /["'](?:tool|name|action|answer|args|arguments)["']\s*:/.test(object)

/** From an opening brace to the one that closes it; braces in strings do not count. */
function firstObject(text: string, start: number): string | undefined {
  let [depth, inString] = [0, false]
  for (let at = start; at < text.length; at += 1) {
    const char = text[at]
    if (inString) {
      if (char === '\\') at += 1
      else if (char === '"') inString = false
    } else if (char === '"') inString = true
    else if (char === '{' || char === '[') depth += 1
    else if (char === '}' || char === ']') {
      depth -= 1
      if (depth === 0) return text.slice(start, at + 1)
    }
    if (depth > MAX_DEPTH) return undefined
  }
  return undefined
}

/** Each repair is tried on the text of the one before it. */
const REPAIRS: readonly ((text: string) => string)[] = [
  (text) => text,
  // Line breaks inside of strings.
  (text) => outsideAndInside(text, (outside) => outside, (inside) => inside.replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t')),
  // Commas before an end, and the constants of other languages.
  (text) => outsideAndInside(text, (outside) => outside.replace(/,\s*(?=[}\]])/g, '').replace(/\bTrue\b/g, 'true').replace(/\bFalse\b/g, 'false').replace(/\b(?:None|undefined)\b/g, 'null'), (inside) => inside),
]

/** @returns undefined for what is no object, `twice` where a member is repeated. */
function parseObject(given: string): Fields | 'twice' | undefined {
  let text = given
  for (const repair of REPAIRS) {
    text = repair(text)
    try {
      const value: unknown = JSON.parse(text)
      if (!isObject(value)) return undefined
      return colonsIn(text) === membersOf(value) ? value : 'twice'
    } catch {
      // The next repair may mend it.
    }
  }
  return undefined
}

function outsideAndInside(text: string, outside: (part: string) => string, inside: (part: string) => string): string {
  let [out, from, inString] = ['', 0, false]
  for (let at = 0; at < text.length; at += 1) {
    if (inString && text[at] === '\\') at += 1
    else if (text[at] === '"') {
      out += inString ? inside(text.slice(from, at)) : outside(text.slice(from, at))
      out += '"'
      from = at + 1
      inString = !inString
    }
  }
  return out + (inString ? inside : outside)(text.slice(from))
}

/** Each member has one colon outside of strings, and a repeated one keeps only its last value. */
function colonsIn(text: string): number {
  let colons = 0
  outsideAndInside(text, (part) => {
    colons += part.split(':').length - 1
    return part
  }, (part) => part)
  return colons
}

const membersOf = (value: unknown): number => {
  if (value === null || typeof value !== 'object') return 0
  const inner = Object.values(value).reduce<number>((sum, item) => sum + membersOf(item), 0)
  return Array.isArray(value) ? inner : inner + Object.keys(value).length
}
