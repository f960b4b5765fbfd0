/** What is written in base64 (RFC 4648 §4, §5) hides from a search for credentials and from nobody else, so it is judged by what it says. */

const MIN_CHARS = 24
const ENCODED = new RegExp(`(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{${MIN_CHARS},}={0,2}`, 'g')
const PRINTABLE = /^[\t\n\r -~]+$/

/**
 * The text without what encodes a credential: one that is found as it stands, or would be beside a name that says so.
 * @param redacted takes every credential out of a text.
 */
export async function withoutEncoded(text: string, redacted: (text: string) => Promise<string>): Promise<string> {
  const said = new Map<string, string>()
  for (const [encoded] of text.matchAll(ENCODED)) {
    const plain = Buffer.from(encoded, 'base64').toString('latin1')
    if (PRINTABLE.test(plain)) said.set(encoded, `token=${JSON.stringify(plain)}`)
  }
  if (said.size === 0) return text
  const hidden = new Set<string>()
  for (const [encoded, plain] of said) if ((await redacted(plain)) !== plain) hidden.add(encoded)
  return text.replace(ENCODED, (encoded) => (hidden.has(encoded) ? '[REDACTED:ENCODED]' : encoded))
}
