/** Which published keys are worth checking a signature with. A weak one is treated as absent (RFC 7517 §5). */

import type { JWK } from 'jose'

const MIN_RSA_BITS = 2048

/** Primes by which the moduli of a broken key generator give themselves away (CVE-2017-15361). */
const MARKERS = [
  3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97, 101, 103, 107, 109, 113,
  127, 131, 137, 139, 149, 151, 157, 163, 167,
]
const GENERATOR = 65_537

/**
 * Whether a member of a key set is a public key of a kind that we verify with, and no weak one: RSA needs 2048 bits,
 * an odd exponent above one, and a modulus that was not made by a generator known to be broken.
 */
export function isUsableKey(member: unknown): member is JWK {
  const { kty, n, e, d } = (member ?? {}) as { kty?: unknown; n?: unknown; e?: unknown; d?: unknown }
  if (d !== undefined || typeof kty !== 'string') return false
  return kty === 'EC' || kty === 'OKP' || (kty === 'RSA' && isStrongRsa(integer(n), integer(e)))
}

function isStrongRsa(modulus: bigint, exponent: bigint): boolean {
  const isLong = modulus >= 1n << BigInt(MIN_RSA_BITS - 1)
  return isLong && exponent > 1n && exponent % 2n === 1n && !isFactorable(modulus)
}

/** Every residue of such a modulus is a power of one number; by chance that happens once in 2^27 moduli. */
const isFactorable = (modulus: bigint): boolean => MARKERS.every((prime) => powersOf(GENERATOR % prime, prime).has(Number(modulus % BigInt(prime))))

function powersOf(base: number, prime: number): ReadonlySet<number> {
  const powers = new Set<number>()
  for (let power = 1; !powers.has(power); power = (power * base) % prime) powers.add(power)
  return powers
}

/** A base64url integer (RFC 7518 §2); zero for anything else. */
function integer(text: unknown): bigint {
  if (typeof text !== 'string' || !/^[\w-]+$/.test(text)) return 0n
  return BigInt(`0x0${Buffer.from(text, 'base64url').toString('hex')}`)
}
