/**
 * Parts of the handshake era that this server leaves out: the protocol is giving them up (2026-07-28, deprecated
 * features), or they need a session. Only a protocol test suite switches them on. Nothing of them is remembered.
 */

import type { App } from '../../app/create-app.ts'
import { CAPABILITIES } from './identity-card.ts'
import type { Params } from './message.ts'

export interface ProtocolExtras {
  /** `logging/setLevel`, and log messages of tools on the streams of their own calls. */
  readonly logging?: boolean
  /** `resources/subscribe` and `resources/unsubscribe`. Without a session, no update ever follows. */
  readonly subscribe?: boolean
}

type Offers = App['offers']

export const NO_EXTRAS: ProtocolExtras = Object.freeze({})

/** What an app offers, in the words of the protocol. What it does not offer is no method of it. */
const offeredBy = (offers: Offers) => (offers === 'tools' ? { tools: CAPABILITIES.tools } : CAPABILITIES)

export const isOffered = (method: string, offers: Offers): boolean => offers === undefined || method.startsWith('tools/')

export const capabilitiesWith = ({ logging = false, subscribe = false }: ProtocolExtras, offers?: Offers) =>
  ({ ...offeredBy(offers), ...(subscribe && { resources: { subscribe } }), ...(logging && { logging: {} }) })

const LEVELS: readonly unknown[] = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency']
const SET_LEVEL = 'logging/setLevel'

export const extraMethods = ({ logging = false, subscribe = false }: ProtocolExtras): readonly string[] =>
  [...(logging ? [SET_LEVEL] : []), ...(subscribe ? ['resources/subscribe', 'resources/unsubscribe'] : [])]

/** Whether a request is one of the extras and well-formed. Its result is empty. */
export const takesExtra = (method: string, { level, uri }: Params, extras: ProtocolExtras): boolean =>
  extraMethods(extras).includes(method) && (method === SET_LEVEL ? LEVELS.includes(level) : typeof uri === 'string')

/** Log messages are for clients that were promised some (2025-11-25, logging §capabilities). */
export const mayTell = (method: string, { logging = false }: ProtocolExtras): boolean => method !== 'notifications/message' || logging
