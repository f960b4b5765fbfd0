/** Names what the library threw, in terms that the audit knows. */

import type { TokenFault } from './verdict.ts'

const BY_CODE: Readonly<Record<string, TokenFault>> = {
  ERR_JWT_EXPIRED: 'expired',
  ERR_JOSE_ALG_NOT_ALLOWED: 'algorithm',
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: 'signature',
  ERR_JWKS_NO_MATCHING_KEY: 'key',
  ERR_JWKS_MULTIPLE_MATCHING_KEYS: 'key',
}

const BY_CLAIM: Readonly<Record<string, TokenFault>> = { iss: 'issuer', aud: 'audience', nbf: 'not-yet', sub: 'subject' }

export function faultOf(error: unknown): TokenFault {
  const { code, claim } = (error ?? {}) as { code?: unknown; claim?: unknown }
  if (code === 'ERR_JWT_CLAIM_VALIDATION_FAILED') return own(BY_CLAIM, claim) ?? 'claims'
  return own(BY_CODE, code) ?? 'malformed'
}

const own = (table: Readonly<Record<string, TokenFault>>, key: unknown): TokenFault | undefined =>
  typeof key === 'string' && Object.hasOwn(table, key) ? table[key] : undefined
