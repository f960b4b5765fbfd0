/** The `_meta` of a request: which era it belongs to, and whether it asks for nothing out of the ordinary. */

import type { Arrival } from '../../kernel/call.ts'
import type { Capabilities } from '../../kernel/question.ts'
import { MODERN } from './identity-card.ts'
import type { Params } from './message.ts'

const OWN = 'io.modelcontextprotocol/'
const VERSION = `${OWN}protocolVersion`
const CAPABILITIES = `${OWN}clientCapabilities`
const CLIENT_INFO = `${OWN}clientInfo`
const TRACEPARENT = 'traceparent'

const isRecord = (value: unknown): value is Params => typeof value === 'object' && value !== null && !Array.isArray(value)

const metaOf = ({ _meta: meta }: Params): unknown => meta

/** Whether the request claims the sessionless era, rightly or not. */
export const claimsModern = (params: Params): boolean => {
  const meta = metaOf(params)
  return isRecord(meta) && Object.hasOwn(meta, VERSION)
}

export interface PlainMeta {
  readonly progressToken?: string | number
  readonly trace?: string
}

/** What a plain request's `_meta` says; undefined where it holds anything that only the protocol library understands. */
export function plainMeta(params: Params): PlainMeta | undefined {
  const meta = metaOf(params)
  if (meta === undefined) return {}
  if (!isRecord(meta)) return undefined
  for (const key of Object.keys(meta)) if (key.startsWith(OWN) && key !== VERSION && key !== CAPABILITIES && key !== CLIENT_INFO) return undefined
  const { progressToken } = meta
  if (progressToken !== undefined && typeof progressToken !== 'string' && !Number.isSafeInteger(progressToken)) return undefined
  const trace = traceIdOf(meta)
  return { ...(progressToken !== undefined && { progressToken: progressToken as string | number }), ...(trace !== undefined && { trace }) }
}

/** Whether a sessionless request carries everything that the revision demands (2026-07-28, basic: `_meta`). */
export function isModernEnvelope(params: Params): boolean {
  const meta = metaOf(params)
  if (!isRecord(meta) || meta[VERSION] !== MODERN || !isRecord(meta[CAPABILITIES])) return false
  const info = meta[CLIENT_INFO]
  return info === undefined || (isRecord(info) && typeof info['name'] === 'string' && typeof info['version'] === 'string')
}

/** What a sessionless client says, with each request, that it can be asked. */
export const capabilitiesOf = (params: Params): Capabilities => {
  const meta = metaOf(params)
  const declared = isRecord(meta) ? meta[CAPABILITIES] : undefined
  return isRecord(declared) ? (declared as Capabilities) : {}
}

/** The answers that a call tried again brings (2026-07-28, input required); undefined where it brings none. */
export function replyOf({ requestState, inputResponses }: Params): Arrival['reply'] {
  if (requestState === undefined && inputResponses === undefined) return undefined
  return { ticket: typeof requestState === 'string' ? requestState : '', replies: isRecord(inputResponses) ? inputResponses : {} }
}

/** Trace Context §3.2.2: version, trace id, parent id, flags. */
const TRACE = /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}$/

/** The caller's trace id, where it sent a well-formed one. */
export function traceIdOf(meta: unknown): string | undefined {
  const parent = isRecord(meta) ? meta[TRACEPARENT] : undefined
  return typeof parent === 'string' ? TRACE.exec(parent)?.[1] : undefined
}
