/**
 * The issuer's published keys (RFC 7517 §5), fetched when first needed. Unknown key ids refresh them, at most every 30
 * seconds: a key that was just published works at once, and made-up ids cost the issuer next to nothing; when the issuer is down, what was
 * fetched last is used for an hour and then nothing is.
 */

import type { createLocalJWKSet } from 'jose'
import type { OperatorClient } from '../../exits/net/index.ts'
import type { Clock } from '../../kernel/clock.ts'
import { isUsableKey } from './key-strength.ts'
import type { Keys } from './keys.ts'

/** Fetches one document. Rejects, or answers any status. */
export type KeyClient = (url: string) => Promise<{ readonly status: number; readonly body: Uint8Array | string }>

const MAX_BYTES = 1_000_000
const MAX_KEYS = 100
const FETCH_TIMEOUT_MS = 5_000
const FRESH_MS = 600_000
const STALE_MS = 3_600_000
const RETRY_MS = 5_000
const UNKNOWN_MS = 30_000

/** Fetches key sets through the operator's client, bounded in size and time. */
export const keyClient = (client: OperatorClient): KeyClient => (url) =>
  client.request({
    method: 'GET', url, headers: { accept: 'application/jwk-set+json, application/json' },
    signal: new AbortController().signal, maxBytes: MAX_BYTES, timeoutMs: FETCH_TIMEOUT_MS,
  })

export interface KeySetPorts {
  readonly client: KeyClient
  readonly clock: Pick<Clock, 'ticks'>
  readonly readSet: typeof createLocalJWKSet
}

type Set = ReturnType<typeof createLocalJWKSet>

export function createKeySet(url: string, { client, clock, readSet }: KeySetPorts): Keys {
  let held: { readonly set: Set; readonly text: string; readonly at: number } | undefined
  let generation = 0
  let triedAt = Number.NEGATIVE_INFINITY
  let unknownAt = Number.NEGATIVE_INFINITY
  let pending: Promise<void> | undefined

  const load = async (): Promise<void> => {
    triedAt = clock.ticks()
    try {
      const text = textOf(await client(url))
      if (text === held?.text) held = { ...held, at: clock.ticks() }
      else {
        held = { set: readSet(parseSet(text)), text, at: clock.ticks() }
        generation += 1
      }
    } catch {
      // Whatever went wrong, the keys held stay, and grow too old in time.
    }
  }
  const refresh = (): Promise<void> => (pending ??= load().finally(() => void (pending = undefined)))
  const since = (then: number | undefined): number => clock.ticks() - (then ?? Number.NEGATIVE_INFINITY)
  const retry = async (): Promise<void> => {
    if (pending || since(triedAt) >= RETRY_MS) await refresh()
  }
  const refreshForUnknown = async (): Promise<void> => {
    if (pending) return refresh()
    if (since(unknownAt) < UNKNOWN_MS) return
    unknownAt = clock.ticks()
    await refresh()
  }

  return {
    get generation() {
      return generation
    },
    ready() {
      if (since(held?.at) < FRESH_MS) return true
      const refreshed = retry()
      // Nobody waits for a refresh while the keys held are good enough.
      return since(held?.at) < STALE_MS || refreshed.then(() => since(held?.at) < STALE_MS)
    },
    async resolve(header) {
      const find = (): Promise<CryptoKey> => (held ? held.set(header) : Promise.reject(new Error('no keys')))
      try {
        return await find()
      } catch (error) {
        if ((error as { code?: unknown }).code !== 'ERR_JWKS_NO_MATCHING_KEY') throw error
        await refreshForUnknown()
        return find()
      }
    },
  }
}

/** How many keys of an answer may be used; undefined where it is no key set. */
export function usableKeys(answer: Awaited<ReturnType<KeyClient>>): number | undefined {
  try {
    return parseSet(textOf(answer)).keys.length
  } catch {
    return undefined
  }
}

type CryptoKey = Awaited<ReturnType<Set>>

function textOf({ status, body }: Awaited<ReturnType<KeyClient>>): string {
  if (status !== 200 || body.length > MAX_BYTES) throw new Error('no key set')
  return typeof body === 'string' ? body : new TextDecoder('utf-8', { fatal: true }).decode(body)
}

function parseSet(text: string): Parameters<typeof createLocalJWKSet>[0] {
  const set: unknown = JSON.parse(text)
  const { keys } = (set ?? {}) as { keys?: unknown }
  if (!Array.isArray(keys) || keys.length > MAX_KEYS) throw new Error('no key set')
  return { keys: keys.filter(isUsableKey) }
}
