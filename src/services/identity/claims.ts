/** Reads subject, scopes and token id out of verified claims. */

import type { JWTPayload } from 'jose'
import type { Claims, ClaimValue } from '../../kernel/caller.ts'

const MAX_SUBJECT_CHARS = 256
const MAX_SCOPES = 1_000
const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}]/u

/** RFC 6749 §3.3. */
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]+$/

/** The subject, or undefined where it could not name anybody: empty, too long, or with invisible characters. */
export const subjectOf = (sub: unknown): string | undefined =>
  typeof sub === 'string' && sub.trim() !== '' && sub.length <= MAX_SUBJECT_CHARS && !INVISIBLE.test(sub) ? sub : undefined

/** Scopes of `scope` (RFC 9068 §2.2.3) or, where that is absent, of `scp`. What is no scope is left out. */
export function scopesOf({ scope, scp }: JWTPayload): ReadonlySet<string> {
  const given = scope ?? scp
  const words: readonly unknown[] = typeof given === 'string' ? given.split(' ') : Array.isArray(given) ? given : []
  return new Set(words.slice(0, MAX_SCOPES).filter((word): word is string => typeof word === 'string' && SCOPE.test(word)))
}

/** The token's own id (RFC 7519 §4.1.7). Issuers that number their tokens are understood too. */
export const jtiOf = ({ jti }: { readonly jti?: unknown }): string | undefined =>
  typeof jti === 'string' || typeof jti === 'number' ? String(jti) : undefined

const [MAX_CLAIM_CHARS, MAX_CLAIM_ITEMS] = [1_000, 100]

const isPlain = (value: unknown): value is string | number | boolean =>
  typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value)) || (typeof value === 'string' && value.length <= MAX_CLAIM_CHARS && !value.includes('\0'))

const isClaim = (value: unknown): value is ClaimValue => isPlain(value) || (Array.isArray(value) && value.length <= MAX_CLAIM_ITEMS && value.every(isPlain))

/** The claims of these names that are a text, a number, a truth or a list of such; undefined where there are none. */
export function claimsOf(payload: JWTPayload, names: readonly string[]): Claims | undefined {
  const found = names.flatMap((name) => {
    const value: unknown = Object.hasOwn(payload, name) ? payload[name] : undefined
    return isClaim(value) ? [[name, value] as const] : []
  })
  return found.length === 0 ? undefined : Object.freeze(Object.fromEntries(found))
}
