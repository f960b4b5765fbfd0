/** Media types, parsed rather than searched for (RFC 9110 §8.3 and §12.5.1). */

import type { IncomingMessage } from 'node:http'
import { valuesOf } from './fields.ts'
import type { RefusalCode } from '../../kernel/refusal.ts'

/** What a client reads: one JSON answer, a stream of events, or either. */
export interface Accepts {
  readonly json: boolean
  readonly events: boolean
}

const MAX_ACCEPT_CHARS = 1_024

/** Clients send one value with every request, so the last answer is kept. */
let last: { readonly value: string | undefined; readonly accepts: Accepts } | undefined

/** An absent or empty Accept takes anything. */
export function parseAccept(value: string | undefined): Accepts {
  if (last?.value !== value || last === undefined) last = { value, accepts: parsed(value) }
  return last.accepts
}

function parsed(value: string | undefined): Accepts {
  if (value === undefined || value.trim() === '') return { json: true, events: true }
  if (value.length > MAX_ACCEPT_CHARS) return { json: false, events: false }
  const types = new Set(value.toLowerCase().split(',').flatMap(acceptedType))
  const takes = (...ranges: readonly string[]): boolean => ranges.some((range) => types.has(range))
  return { json: takes('application/json', 'application/*', '*/*'), events: takes('text/event-stream', 'text/*', '*/*') }
}

function acceptedType(item: string): readonly string[] {
  const [type = '', ...parameters] = item.split(';').map((part) => part.trim())
  return parameters.some((parameter) => /^q=0(?:\.0{0,3})?$/.test(parameter)) ? [] : [type]
}

/** `application/json`, alone or with the only character set that JSON has (RFC 8259 §8.1). */
const JSON_TYPE = /^application\/json(?:[ \t]*;[ \t]*charset=(?:utf-8|"utf-8"))?[ \t]*;?$/i

/** Why the headers announce a body or an answer that is not served, or undefined. */
export function mediaFault(request: IncomingMessage): Extract<RefusalCode, 'http.media-type' | 'http.not-acceptable'> | undefined {
  const types = valuesOf(request, 'content-type')
  if (types.length !== 1 || (types[0] !== 'application/json' && !JSON_TYPE.test(types[0] ?? ''))) return 'http.media-type'
  const { 'content-encoding': encoding, accept } = request.headers
  if (encoding !== undefined && encoding.trim().toLowerCase() !== 'identity') return 'http.media-type'
  const { json, events } = parseAccept(accept)
  return json || events ? undefined : 'http.not-acceptable'
}
