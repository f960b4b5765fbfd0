/** The one source of verification keys that the settings name: a published set, or one fixed key. */

import type { createLocalJWKSet } from 'jose'
import type { Clock } from '../../kernel/clock.ts'
import { createFixedKey } from './fixed-key.ts'
import { createKeySet } from './key-set.ts'
import type { KeyClient } from './key-set.ts'
import type { Keys } from './keys.ts'

export interface KeySettings {
  readonly oauthJwksUri: string | undefined
  /** PEM (SPKI) or one JWK as JSON. */
  readonly oauthPublicKey: string | undefined
}

export interface KeyPorts {
  /** Needed only with a JWKS URI. */
  readonly client?: KeyClient
  readonly clock: Pick<Clock, 'ticks'>
}

/** @throws TypeError when not exactly one source is set, or for an unusable key. */
export function openKeys({ oauthJwksUri, oauthPublicKey }: KeySettings, { client, clock }: KeyPorts, readSet: typeof createLocalJWKSet): Keys {
  if (oauthPublicKey !== undefined && oauthJwksUri === undefined) return createFixedKey(oauthPublicKey, readSet)
  if (oauthPublicKey !== undefined || oauthJwksUri === undefined) throw new TypeError('identity needs a JWKS URI or a public key, one of them')
  if (!client) throw new TypeError('identity needs a client to fetch the key set with')
  return createKeySet(oauthJwksUri, { client, clock, readSet })
}
