/**
 * Reads one JSON-RPC message from its text, once. What is decided here is decided on the value that
 * runs: duplicate and case-twin keys are refused while they can still be seen (RFC 8259 §4).
 */

import { isObject } from '../../kernel/json-object.ts'
import type { RefusalCode } from '../../kernel/refusal.ts'

export type Id = string | number
export type Params = Readonly<Record<string, unknown>>

export type Message =
  | { readonly is: 'request'; readonly id: Id; readonly method: string; readonly params: Params; readonly raw: object }
  | { readonly is: 'notification'; readonly method: string; readonly params: Params; readonly raw: object }
  | { readonly is: 'response'; readonly id: Id; readonly raw: object }
  | { readonly is: 'refused'; readonly code: RefusalCode; readonly id: Id | null }

/** Levels of nesting that a message may have. */
const MAX_DEPTH = 128
const MAX_ID_CHARS = 1_024
const NO_PARAMS: Params = Object.freeze({})

export function readMessage(text: string): Message {
  const form = scan(text)
  if (form.depth > MAX_DEPTH) return { is: 'refused', code: 'message.invalid', id: null }
  let raw: unknown
  try {
    raw = JSON.parse(text)
  } catch {
    return { is: 'refused', code: 'message.not-json', id: null }
  }
  if (Array.isArray(raw)) return { is: 'refused', code: 'message.batch', id: null }
  if (!isObject(raw)) return { is: 'refused', code: 'message.invalid', id: null }
  const id = isId(raw['id']) ? raw['id'] : null
  // Each member has one colon outside strings, and a repeated key keeps only its last value.
  if (form.members !== countMembers(raw)) return { is: 'refused', code: 'message.duplicate-key', id }
  return classify(raw, id)
}

/** One JSON object outside of any envelope, under the same rules for what may stand in it. */
export function readObject(text: string): { readonly value: Params } | { readonly code: RefusalCode } {
  const form = scan(text)
  if (form.depth > MAX_DEPTH) return { code: 'message.invalid' }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { code: 'message.not-json' }
  }
  if (!isObject(value)) return { code: 'message.invalid' }
  return form.members === countMembers(value) && !hasCaseTwins(value) ? { value } : { code: 'message.duplicate-key' }
}

function classify(raw: Params, id: Id | null): Message {
  const { jsonrpc, method, params = NO_PARAMS } = raw
  const invalid: Message = { is: 'refused', code: 'message.invalid', id }
  if (jsonrpc !== '2.0' || (Object.hasOwn(raw, 'id') && id === null) || hasCaseTwins(raw)) return invalid
  const answers = Number(Object.hasOwn(raw, 'result')) + Number(Object.hasOwn(raw, 'error'))
  if (method === undefined) return answers === 1 && id !== null ? { is: 'response', id, raw } : invalid
  if (typeof method !== 'string' || answers > 0 || !isObject(params) || hasCaseTwins(params)) return invalid
  if (isObject(params['arguments']) && hasCaseTwins(params['arguments'])) return invalid
  if (!hasKnownForm(raw, params)) return invalid
  return id === null ? { is: 'notification', method, params, raw } : { is: 'request', id, method, params, raw }
}

const isId = (id: unknown): id is Id =>
  (typeof id === 'string' && id.length <= MAX_ID_CHARS) || (typeof id === 'number' && Number.isSafeInteger(id))

const hasCaseTwins = (object: Params): boolean => {
  const keys = Object.keys(object)
  // Keys without capitals differ as they stand, and nearly all are such.
  if (keys.every((key) => key === key.toLowerCase())) return false
  return new Set(keys.map((key) => key.toLowerCase())).size < keys.length
}

const [QUOTE, BACKSLASH, COLON] = [0x22, 0x5c, 0x3a]
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d]

/** One pass over the text: how deep it nests, and how many members its objects have. */
function scan(text: string): { readonly depth: number; readonly members: number } {
  let [depth, deepest, members, inString] = [0, 0, 0, false]
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charCodeAt(at)
    if (inString) {
      if (char === BACKSLASH) at += 1
      else if (char === QUOTE) inString = false
    } else if (char === QUOTE) inString = true
    else if (char === COLON) members += 1
    else if (char === OPEN_BRACE || char === OPEN_BRACKET) deepest = Math.max(deepest, (depth += 1))
    else if (char === CLOSE_BRACE || char === CLOSE_BRACKET) depth -= 1
  }
  return { depth: deepest, members }
}

/** Recursion is safe here: the depth was bounded first. */
function countMembers(value: unknown): number {
  if (value === null || typeof value !== 'object') return 0
  if (Array.isArray(value)) {
    let all = 0
    for (const item of value) all += countMembers(item)
    return all
  }
  let all = 0
  for (const key in value) all += 1 + countMembers((value as Record<string, unknown>)[key])
  return all
}

const MEMBERS: ReadonlySet<string> = new Set(['jsonrpc', 'id', 'method', 'params'])
const RELATED_TASK = 'io.modelcontextprotocol/related-task'

/** What the protocol library would drop without an answer: further members, and a `_meta` of another form. */
function hasKnownForm(raw: Params, params: Params): boolean {
  const { _meta: meta = NO_PARAMS } = params
  if (!isObject(meta) || Object.keys(raw).some((key) => !MEMBERS.has(key))) return false
  const { progressToken: token = '', [RELATED_TASK]: task = { taskId: '' } } = meta
  return (typeof token === 'string' || Number.isSafeInteger(token)) && isObject(task) && typeof task['taskId'] === 'string'
}
