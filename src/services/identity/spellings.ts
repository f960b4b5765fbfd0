/**
 * The texts under which one token can be shown. An ECDSA signature (r, s) has a twin (r, n − s), which verifies
 * wherever it does and which anybody can work out, so that to name a token by its text is to name both.
 */

/** Orders of the groups (SEC 2 §2.4 to §2.6), by algorithm. */
const ORDERS: Readonly<Record<string, bigint>> = {
  ES256: 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n,
  ES384: 0xffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52973n,
  ES512: 0x01fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffa51868783bf2f966b7fcc0148f709a5d03bb5c9b8899c47aebb6fb71e91386409n,
}

/** @param token with a signature that verifies under `alg`. */
export function spellingsOf(token: string, alg: string): readonly string[] {
  const order = Object.hasOwn(ORDERS, alg) ? ORDERS[alg] : undefined
  if (order === undefined) return [token]
  const at = token.lastIndexOf('.') + 1
  const signature = Buffer.from(token.slice(at), 'base64url')
  const half = signature.length / 2
  const other = order - BigInt(`0x${signature.toString('hex', half)}`)
  signature.write(other.toString(16).padStart(signature.length, '0'), half, 'hex')
  return [token, token.slice(0, at) + signature.toString('base64url')]
}
