/** Which HTTP requests are plain enough for the hot lane: the headers say what the body says, and nothing else is asked for. */

import type { IncomingMessage } from 'node:http'
import { claimsModern } from '../mcp/envelope.ts'
import { HANDSHAKE_VERSIONS, MODERN } from '../mcp/identity-card.ts'
import type { Era } from '../mcp/answers.ts'
import type { Lane, PlainCall } from '../mcp/lane.ts'
import type { Message, Params } from '../mcp/message.ts'
import { parseAccept } from './media.ts'

export interface PlainRequest extends PlainCall {
  readonly era: Era
}

type RequestMessage = Extract<Message, { is: 'request' }>

/** Undefined where the protocol library must look at it. */
export function plainRequest({ headers }: IncomingMessage, message: RequestMessage, lane: Lane): PlainRequest | undefined {
  const era: Era = claimsModern(message.params) ? 'modern' : 'legacy'
  const version = headers['mcp-protocol-version']
  const agrees = era === 'modern'
    ? version === MODERN && headers['mcp-method'] === message.method && namesTheSame(headers['mcp-name'], message.params)
    : version === undefined || (typeof version === 'string' && HANDSHAKE_VERSIONS.includes(version))
  if (!agrees || !parseAccept(headers.accept).json) return undefined
  const plain = lane.callOf(message, era)
  // Progress is told on the stream of the request, which is the library's to open.
  return plain && plain.meta.progressToken === undefined ? { ...plain, era } : undefined
}

/** An encoded name (`=?base64?…?=`) is left to the library (2026-07-28, transports: header encoding). */
const namesTheSame = (header: string | string[] | undefined, { name, uri }: Params): boolean => {
  const named = name ?? uri
  return named === undefined ? header === undefined : typeof header === 'string' && !header.startsWith('=?') && header === named
}
