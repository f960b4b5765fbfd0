/** What a token came to. */

import type { Claims } from '../../kernel/caller.ts'

/** Why a token was not accepted; for the audit, never for the caller. */
export type TokenFault =
  | 'algorithm' | 'audience' | 'claims' | 'expired' | 'issuer' | 'key' | 'keys-unavailable' | 'malformed' | 'not-yet'
  | 'revoked' | 'signature' | 'subject' | 'type'

export interface VerifiedCaller {
  readonly is: 'caller'
  readonly subject: string
  readonly scopes: ReadonlySet<string>
  readonly claims?: Claims
}

/** The same object is given for the same token while it is valid, so it may key a cache. */
export type Verified = VerifiedCaller | { readonly is: 'missing' } | { readonly is: 'invalid'; readonly reason: TokenFault }
