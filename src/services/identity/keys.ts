/** Where verification keys come from. */

import type { CryptoKey, JWTHeaderParameters } from 'jose'

export interface Keys {
  /** Grows when the keys change; what was verified with others no longer counts. */
  readonly generation: number
  /** Whether there are keys that may be used now. Fetches them where that is due. Never rejects; says at once what needs no waiting. */
  ready(): boolean | Promise<boolean>
  /** The key for a token's header: right id, type, use and algorithm. Rejects where there is none. */
  resolve(header: JWTHeaderParameters): Promise<CryptoKey>
}
