/** Removes this server's own secrets from whatever leaves, in the forms in which they usually leak. */

const MASK = '[redacted]'
/** Shorter secrets would match by chance; the settings refuse them where they matter. */
const MIN_CHARS = 8

/** @param secrets values of secret settings, and tokens that this process minted. */
export function createRedactor(secrets: readonly string[]): (text: string) => string {
  const forms = [...new Set(secrets.filter(({ length }) => length >= MIN_CHARS).flatMap(spellings))]
  if (forms.length === 0) return (text) => text
  const pattern = new RegExp(forms.sort((a, b) => b.length - a.length).map(escaped).join('|'), 'g')
  return (text) => text.replace(pattern, MASK)
}

const spellings = (secret: string): string[] => {
  const bytes = Buffer.from(secret)
  return [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1), bytes.toString('base64'), bytes.toString('base64url'), bytes.toString('hex')]
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&')
