/** Which HTTP requests are plain enough for the hot lane: the headers say what the body says, and nothing else is asked for. */

import type { IncomingMessage } from 'node:http'
import { claimsModern } from '../mcp/envelope.ts'
import { HANDSHAKE_VERSIONS, MODERN } from '../mcp/identity-card.ts'
import type { Era } from '../mcp/answers.ts'
import type { Lane, PlainCall } from '../mcp/lane.ts'
import type { Message, Params } from '../mcp/message.ts'

type RequestMessage = Extract<Message, { is: 'request' }>
type NotificationMessage = Extract<Message, { is: 'notification' }>

/** The call of a plain request; undefined where the protocol library must look at it. */
export function plainRequest(request: IncomingMessage, message: RequestMessage, lane: Lane): PlainCall | undefined {
  const era = eraOf(message)
  return agrees(request, message, era) ? lane.callOf(message, era) : undefined
}

/** The whole response to a plain `initialize`, `ping` or `server/discover`; undefined as above. */
export function plainIntroduction(request: IncomingMessage, message: RequestMessage, lane: Lane): string | undefined {
  const era = eraOf(message)
  return agrees(request, message, era) ? lane.introduce(message, era) : undefined
}

/** Whether a notification of the handshake era needs no more than to be taken: nothing here waits for one. */
export const isPlainNotification = (request: IncomingMessage, { method, params }: NotificationMessage): boolean =>
  method.startsWith('notifications/') && !claimsModern(params) && hasHandshakeVersion(request)

const eraOf = ({ params }: RequestMessage): Era => (claimsModern(params) ? 'modern' : 'legacy')

const agrees = (request: IncomingMessage, { method, params }: RequestMessage, era: Era): boolean => {
  const { headers } = request
  if (era === 'legacy') return hasHandshakeVersion(request)
  return headers['mcp-protocol-version'] === MODERN && headers['mcp-method'] === method && namesTheSame(headers['mcp-name'], params)
}

const hasHandshakeVersion = ({ headers }: IncomingMessage): boolean => {
  const version = headers['mcp-protocol-version']
  return version === undefined || (typeof version === 'string' && HANDSHAKE_VERSIONS.includes(version))
}

/** An encoded name (`=?base64?…?=`) is left to the library (2026-07-28, transports: header encoding). */
const namesTheSame = (header: string | string[] | undefined, { name, uri }: Params): boolean => {
  const named = name ?? uri
  return named === undefined ? header === undefined : typeof header === 'string' && !header.startsWith('=?') && header === named
}
