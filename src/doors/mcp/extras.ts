/**
 * Parts of the handshake era that this server leaves out: the protocol is giving them up (2026-07-28, deprecated
 * features), or they need a session. Only a protocol test suite switches them on. Nothing of them is remembered.
 */

import { CAPABILITIES } from './identity-card.ts'
import type { Params } from './message.ts'

export interface ProtocolExtras {
  /** `logging/setLevel`, and log messages of tools on the streams of their own calls. */
  readonly logging?: boolean
  /** `resources/subscribe` and `resources/unsubscribe`. Without a session, no update ever follows. */
  readonly subscribe?: boolean
}

export const NO_EXTRAS: ProtocolExtras = Object.freeze({})

export const capabilitiesWith = ({ logging = false, subscribe = false }: ProtocolExtras) =>
  ({ ...CAPABILITIES, ...(subscribe && { resources: { subscribe } }), ...(logging && { logging: {} }) })

const LEVELS: readonly unknown[] = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency']

const TAKES: Readonly<Record<string, { readonly part: keyof ProtocolExtras; fits(params: Params): boolean }>> = {
  'logging/setLevel': { part: 'logging', fits: ({ level }) => LEVELS.includes(level) },
  'resources/subscribe': { part: 'subscribe', fits: ({ uri }) => typeof uri === 'string' },
  'resources/unsubscribe': { part: 'subscribe', fits: ({ uri }) => typeof uri === 'string' },
}

export const extraMethods = (extras: ProtocolExtras): readonly string[] => Object.keys(TAKES).filter((method) => extras[TAKES[method]?.part ?? 'logging'] === true)

/** Whether a request is one of the extras and well-formed. Its result is empty. */
export const takesExtra = (method: string, params: Params, extras: ProtocolExtras): boolean =>
  extraMethods(extras).includes(method) && TAKES[method]?.fits(params) === true

/** Log messages are for clients that were promised some (2025-11-25, logging §capabilities). */
export const mayTell = (method: string, { logging = false }: ProtocolExtras): boolean => method !== 'notifications/message' || logging
