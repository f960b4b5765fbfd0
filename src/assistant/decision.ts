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

/** What a model thinks aloud is for itself, whatever it tries out there. */
const THOUGHT = /^\s*<think(?:ing)?>[\s\S]*?(?:<\/think(?:ing)?>|$)/i
/** Before a decision that stands alone. */
const NOTHING_BEFORE = /^(?:```\w*)?[\s[]*$/

/** Text without any object is an answer: nothing can run because of it. @param isNative whether calls come beside the text, so that a text is an answer unless it is plainly one */
export function parseDecision(given: string, { isNative = false } = {}): Decision {
  const text = given.length > MAX_TEXT ? '' : given.replace(THOUGHT, '').trim()
  if (text === '') return unreadable('there was no text')
  const start = text.indexOf('{')
  if (start < 0 || (isNative && start > 0)) return { is: 'answer', text }
  const isAlone = !isNative && NOTHING_BEFORE.test(text.slice(0, start))
  const object = firstObject(text, start)
  if (object === undefined) return (start === 0 && !isNative) || looksLikeDecision(text.slice(start), isAlone) ? unreadable('the JSON object does not end') : { is: 'answer', text }
  const value = parseObject(object)
  if (value === 'twice' && (isAlone || looksLikeDecision(object, isAlone))) return unreadable('an object names the same member twice')
  if (value === undefined && looksLikeDecision(object, isAlone)) return unreadable('the object is not JSON')
  const decision = isObject(value) ? decisionOf(value, isAlone) : undefined
  if (decision) return decision
  if (value && start === 0 && !isNative) return unreadable('the object names neither a tool nor an answer')
  // Prose with braces in it, such as code, is prose. A call that comes behind it was meant, and must not be lost.
  return callsIn(text, start + object.length) ? unreadable('an object that is no decision comes before the call; write the call and nothing else') : { is: 'answer', text }
}

/** Whether an object that names a tool stands in the rest of a text. */
function callsIn(text: string, from: number): boolean {
  for (let start = text.indexOf('{', from); start >= 0; start = text.indexOf('{', start)) {
    const object = firstObject(text, start)
    if (object === undefined) return looksLikeDecision(text.slice(start), false)
    const value = looksLikeDecision(object, false) ? parseObject(object) : undefined
    if (isObject(value) && decisionOf(value, false)?.is === 'call') return true
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

/** @param isAlone whether nothing else was said; beside other words, data may have a name or an action as well, but seldom arguments */
function decisionOf(value: Fields, isAlone: boolean): Decision | undefined {
  const given = ARGUMENTS.filter((key) => value[key] !== undefined && value[key] !== null)
  const names = NAMES.filter((key) => typeof value[key] === 'string' && value[key] !== '' && (key === 'tool' || isAlone || given.length > 0))
  const [answer, name] = [value['answer'], names[0]]
  if (name === undefined) return typeof answer === 'string' ? answerOf(answer) : undefined
  if (typeof answer === 'string' && answer !== '') return unreadable('the object names a tool and an answer')
  if (names.length > 1) return unreadable('the object names more than one tool')
  if (given.length > 1) return unreadable('the object has arguments twice')
  const args = given[0] === undefined ? {} : value[given[0]]
  return isObject(args) ? { is: 'call', name: String(value[name]), args } : unreadable('the arguments are not an object')
}

const answerOf = (text: string): Decision => (text.trim() === '' ? unreadable('the answer is empty') : { is: 'answer', text })

const looksLikeDecision = (text: string, isAlone: boolean): boolean =>
  /["'](?:tool|answer|args|arguments)["']\s*:/.test(text) || (/["'](?:name|action)["']\s*:/.test(text) && (isAlone || /["'](?:input|parameters)["']\s*:/.test(text)))

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
