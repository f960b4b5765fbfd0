/** The `_meta` of a request: which era it belongs to, and whether it asks for nothing out of the ordinary. */

import type { Arrival, RemoteParent } from '../../kernel/call.ts'
import { isObject } from '../../kernel/json-object.ts'
import type { Capabilities } from '../../kernel/question.ts'
import { areCapabilitiesPlain, isInfoPlain } from './client-card.ts'
import { MODERN } from './identity-card.ts'
import type { Params } from './message.ts'

const OWN = 'io.modelcontextprotocol/'
const VERSION = `${OWN}protocolVersion`
const CAPABILITIES = `${OWN}clientCapabilities`
const CLIENT_INFO = `${OWN}clientInfo`
export const TRACEPARENT = 'traceparent'

const metaOf = ({ _meta: meta }: Params): unknown => meta

/** Whether the request claims the sessionless era, rightly or not. */
export const claimsModern = (params: Params): boolean => {
  const meta = metaOf(params)
  return isObject(meta) && Object.hasOwn(meta, VERSION)
}

export interface PlainMeta {
  readonly progressToken?: string | number
  readonly parent?: RemoteParent
}

/** What a plain request's `_meta` says; undefined where it holds anything that only the protocol library understands. */
export function plainMeta(params: Params): PlainMeta | undefined {
  const meta = metaOf(params)
  if (meta === undefined) return {}
  if (!isObject(meta)) return undefined
  for (const key of Object.keys(meta)) if (key.startsWith(OWN) && key !== VERSION && key !== CAPABILITIES && key !== CLIENT_INFO) return undefined
  const { progressToken } = meta
  if (progressToken !== undefined && typeof progressToken !== 'string' && !Number.isSafeInteger(progressToken)) return undefined
  const parent = parentOf(meta[TRACEPARENT])
  return { ...(progressToken !== undefined && { progressToken: progressToken as string | number }), ...(parent && { parent }) }
}

/** Whether a sessionless request carries everything that the revision demands (2026-07-28, basic: `_meta`). */
export function isModernEnvelope(params: Params): boolean {
  const meta = metaOf(params)
  if (!isObject(meta) || meta[VERSION] !== MODERN || !areCapabilitiesPlain(meta[CAPABILITIES])) return false
  const info = meta[CLIENT_INFO]
  return info === undefined || isInfoPlain(info)
}

/** What a sessionless client says, with each request, that it can be asked. */
export const capabilitiesOf = (params: Params): Capabilities => {
  const meta = metaOf(params)
  const declared = isObject(meta) ? meta[CAPABILITIES] : undefined
  return isObject(declared) ? (declared as Capabilities) : {}
}

/**
 * The answers that a call tried again brings (2026-07-28, input required); undefined where it brings none. Answers
 * without a ticket are none: the call is a new one, and asks again.
 */
export function replyOf({ requestState, inputResponses }: Params): Arrival['reply'] {
  if (typeof requestState !== 'string') return undefined
  return { ticket: requestState, replies: isObject(inputResponses) ? inputResponses : {} }
}

/** Version, trace id, parent id, flags (Trace Context §3.2.2); a later version may say more behind them. */
const TRACE = /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-|$)/

/** The caller's span out of a `traceparent`, where that is well-formed. */
export function parentOf(traceparent: unknown): RemoteParent | undefined {
  const [, traceId, spanId, flags] = (typeof traceparent === 'string' && traceparent.length < 200 && TRACE.exec(traceparent)) || []
  return traceId === undefined || spanId === undefined ? undefined : { traceId, spanId, flags: Number.parseInt(flags ?? '0', 16) }
}
