/** Who calls over HTTP, worked out from access tokens. */

export { createIdentity } from './identity.ts'
export type { Identity } from './identity.ts'
export { claimsOf } from './token-header.ts'
export { keyClient, usableKeys } from './key-set.ts'
export type { KeyClient } from './key-set.ts'
export { mintLocalToken } from './local-issuer.ts'
export type { LocalToken } from './local-issuer.ts'
export type { TokenFault } from './verdict.ts'
export { openRevocations } from './revocations.ts'
export type { Revocations } from './revocations.ts'
