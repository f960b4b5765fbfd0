/**
 * Errors of the protocol library, said in our words. Its own texts repeat what the caller sent; the code, the
 * status and the list of versions, which clients act on, stay.
 */

import { REFUSALS } from '../../kernel/refusal.ts'
import type { RefusalCode } from '../../kernel/refusal.ts'
import { PROTOCOL_VERSIONS } from '../mcp/server.ts'

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

const [METHOD_NOT_FOUND, INTERNAL, HEADER_MISMATCH, MISSING_CAPABILITY, UNSUPPORTED_VERSION] = [-32_601, -32_603, -32_020, -32_021, -32_022]

const HINTS: ReadonlyMap<number, string> = new Map([
  [HEADER_MISMATCH, 'the MCP headers and the body must agree'],
  [MISSING_CAPABILITY, 'the client lacks a capability that this needs'],
  [UNSUPPORTED_VERSION, 'the protocol version is not supported'],
])

/** A version as every revision of MCP writes it; anything else is not repeated. */
const VERSION = /^\d{4}-\d{2}-\d{2}$/

export function judgeError({ code, data }: RpcError): Judged {
  if (code === INTERNAL) return { error: { code, message: 'internal error' }, outcome: 'fault', code: '' }
  const refusal: RefusalCode = code === METHOD_NOT_FOUND ? 'message.method' : 'message.invalid'
  const hint = HINTS.get(code)
  const message = `${refusal}: ${REFUSALS[refusal].says}${hint === undefined ? '' : `; ${hint}`}`
  return { error: { code, message, data: dataFor(code, refusal, data) }, outcome: 'refused', code: refusal }
}

function dataFor(code: number, refusal: RefusalCode, data: unknown): Readonly<Record<string, unknown>> {
  if (code !== UNSUPPORTED_VERSION) return { code: refusal }
  const { requested } = (data ?? {}) as { requested?: unknown }
  const named = typeof requested === 'string' && VERSION.test(requested) ? requested : 'unknown'
  return { code: refusal, supported: PROTOCOL_VERSIONS, requested: named }
}
