/** Paths of URLs that some server reads as going up, whatever their notation. */

const MAX_DECODINGS = 3
/** Longer encodings of an ASCII sign than it has (RFC 3629 §3), which lax decoders take for it. */
const OVERLONG = /%c[01]%[89ab]|%e0%8[01]%[89ab]|%f0%80%8[01]%[89ab]/i

/**
 * Whether a server that decodes once more than we do, takes backslashes for slashes, folds look-alikes of signs, or
 * drops tabs, blanks after a name, or what follows a semicolon or starts a query would read the path as one that climbs.
 */
export function climbs(path: string): boolean {
  let text = path
  for (let round = 0; round <= MAX_DECODINGS; round += 1) {
    if (/[\0\t\r\n]/.test(text) || OVERLONG.test(text)) return true
    const names = text.normalize('NFKC').split(/[/\\]/)
    if (names.some((name) => /^\.\. *(?:[;?#]|$)/.test(name) || (round > 0 && /^\. *(?:[;?#]|$)/.test(name)))) return true
    const decoded = text.replace(/(?:%[\da-f]{2})+/gi, decodeBytes)
    if (decoded === text) return false
    text = decoded
  }
  return true
}

/** Never fails: what is no UTF-8 becomes a sign that shapes no path. */
const decodeBytes = (codes: string): string =>
  new TextDecoder().decode(Uint8Array.from(codes.slice(1).split('%'), (code) => Number.parseInt(code, 16)))
