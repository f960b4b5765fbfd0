/**
 * Judges how a token is spelled, before any key is looked for (RFC 7515 §4.1, RFC 8725 §3.11): one token has one
 * spelling, and each member of it one value.
 */

import { objectIn } from '../../kernel/json-object.ts'
import type { TokenFault } from './verdict.ts'

/** Asymmetric ones alone, so that no public key can be taken for a shared secret (RFC 8725 §3.1). */
export const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']

const TYPES: ReadonlySet<string> = new Set(['at+jwt', 'application/at+jwt', 'jwt', 'application/jwt'])

/** Members that would change what the other parts mean. None of them is supported, so none may be there. */
const CHANGES_MEANING = ['crit', 'b64', 'enc', 'zip'] as const

/** Why the header is not accepted, or undefined. The token has three parts. */
export function readHeader(token: string): Extract<TokenFault, 'algorithm' | 'key' | 'malformed' | 'type'> | undefined {
  const header = plainObject(decoded(token.slice(0, token.indexOf('.'))))
  if (!header || !isCanonical(token.slice(token.lastIndexOf('.') + 1))) return 'malformed'
  if (CHANGES_MEANING.some((name) => Object.hasOwn(header, name))) return 'malformed'
  if (typeof header['alg'] !== 'string') return 'algorithm'
  const { typ, kid } = header
  if (typ !== undefined && !(typeof typ === 'string' && TYPES.has(typ.toLowerCase()))) return 'type'
  return kid === undefined || typeof kid === 'string' ? undefined : 'key'
}

/** Whether the claims are one JSON object that says nothing twice (RFC 7519 §4). */
export const hasPlainClaims = (token: string): boolean => plainObject(decoded(token.split('.')[1] ?? '')) !== undefined

/** The last character may carry bits that mean nothing, and with others there the same signature would be another text. */
const isCanonical = (part: string): boolean => Buffer.from(part, 'base64url').toString('base64url') === part

/** A byte order mark stays in the text, where JSON does not allow it (RFC 8259 §8.1). */
const decoded = (part: string): string => Buffer.from(part, 'base64url').toString('utf8')

/** A JSON object without a repeated name at any depth: what is parsed keeps only the last of those. */
function plainObject(text: string): Readonly<Record<string, unknown>> | undefined {
  const value = objectIn(text)
  return value && countSpelled(text) === countKept(value) ? value : undefined
}

const countSpelled = (text: string): number =>
  [...text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?/g)].filter(([, colon]) => colon !== undefined).length

function countKept(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  let kept = Array.isArray(value) ? 0 : Object.keys(value).length
  for (const member of Object.values(value)) kept += countKept(member)
  return kept
}

/** Header and claims as they are written, of a token that nobody verified: for a person's eyes, never for a decision. */
export const claimsOf = (token: string): Readonly<Record<string, unknown>> => {
  const [header = '', payload = ''] = token.split('.')
  return { ...objectIn(decoded(header)), ...objectIn(decoded(payload)) }
}
