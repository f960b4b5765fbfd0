/**
 * Errors of the protocol library, said in our words. Its own texts repeat what the caller sent; the code, the
 * status and the list of versions, which clients act on, stay.
 */

import { REFUSALS } from '../../kernel/refusal.ts'
import type { RefusalCode } from '../../kernel/refusal.ts'
import { INTERNAL, INVALID_PARAMS, METHOD_NOT_FOUND, MISSING_CAPABILITY, lacksTasks } from './answers.ts'
import { MODERN, PROTOCOL_VERSIONS } from './identity-card.ts'

export interface RpcError {
  readonly code: number
  readonly message: string
  readonly data?: unknown
}

export interface Judged {
  readonly error: RpcError
  readonly outcome: 'refused' | 'fault'
  readonly code: RefusalCode | ''
}

const [HEADER_MISMATCH, UNSUPPORTED_VERSION] = [-32_020, -32_022]
/** What a handshake-era request is refused with before dispatch; after our own checks, only its version is left. */
const LEGACY_REFUSED = -32_000

const HINTS: ReadonlyMap<number, string> = new Map([
  [HEADER_MISMATCH, 'the MCP headers and the body must agree'],
  [UNSUPPORTED_VERSION, 'the protocol version is not supported'],
  [LEGACY_REFUSED, 'the protocol version is not supported'],
])

/** What reads as a version is repeated, as clients expect (2026-07-28, UnsupportedProtocolVersionError); nothing else is. */
const VERSION = /^v?\d{1,4}(?:[.-]\d{1,4}){0,3}$/

/** @param status of the HTTP answer: an internal error within a good one is about parameters that do not fit. */
export function judgeError({ code, data }: RpcError, status: number): Judged {
  // The one capability that a method of its own needs is that of polling tasks.
  if (code === MISSING_CAPABILITY) return { error: lacksTasks().error, outcome: 'refused', code: 'task.required' }
  if (code === INTERNAL && status !== 200) return { error: { code, message: 'internal error' }, outcome: 'fault', code: '' }
  const refusal: RefusalCode = code === METHOD_NOT_FOUND ? 'message.method' : code === INTERNAL ? 'input.invalid' : 'message.invalid'
  const hint = HINTS.get(code)
  const message = `${refusal}: ${REFUSALS[refusal].says}${hint === undefined ? '' : `; ${hint}`}`
  const said = { code: code === INTERNAL ? INVALID_PARAMS : code, message, data: dataFor(code, refusal, data) }
  return { error: said, outcome: 'refused', code: refusal }
}

function dataFor(code: number, refusal: RefusalCode, data: unknown): Readonly<Record<string, unknown>> {
  if (code !== UNSUPPORTED_VERSION && code !== LEGACY_REFUSED) return { code: refusal }
  const { requested } = (data ?? {}) as { requested?: unknown }
  const named = typeof requested === 'string' && VERSION.test(requested) ? requested : 'unknown'
  return { code: refusal, supported: code === UNSUPPORTED_VERSION ? [MODERN] : PROTOCOL_VERSIONS, requested: named }
}
