/** Removes this server's own secrets from whatever leaves, in the forms in which they usually leak. */

const MASK = '[redacted]'
/** Shorter secrets would match by chance; the settings refuse them where they matter. */
const MIN_CHARS = 8

/** @param secrets values of secret settings, and tokens that this process minted. @returns undefined where there are none. */
export function createRedactor(secrets: readonly string[]): ((text: string) => string) | undefined {
  const forms = [...new Set(secrets.filter(({ length }) => length >= MIN_CHARS).flatMap(spellings))]
  if (forms.length === 0) return undefined
  const pattern = new RegExp(forms.sort((a, b) => b.length - a.length).map(escaped).join('|'), 'g')
  return (text) => text.replace(pattern, MASK)
}

const spellings = (secret: string): string[] => {
  const bytes = Buffer.from(secret)
  const [url, hex] = [encodeURIComponent(secret), bytes.toString('hex')]
  const plain = [secret, url, url.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()), JSON.stringify(secret).slice(1, -1), hex, hex.toUpperCase()]
  return [...plain, ...[0, 1, 2].flatMap((offset) => inBase64(bytes, offset))]
}

/** The characters that a secret always has in base64, wherever in a longer text it begins. */
function inBase64(bytes: Buffer, offset: number): string[] {
  const padded = Buffer.concat([Buffer.alloc(offset), bytes])
  const text = padded.toString('base64').replace(/=+$/, '')
  // The first and last character may also hold bits of what stands beside the secret.
  const [from, to] = [offset === 0 ? 0 : offset + 1, padded.length % 3 === 0 ? text.length : text.length - 1]
  const core = text.slice(from, to)
  return core.length < MIN_CHARS ? [] : [core, core.replaceAll('+', '-').replaceAll('/', '_')]
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&')
