/** Collects this server's own secrets from the settings, so that they can be kept out of whatever leaves. */

import { valueInForce } from './explain-settings.ts'
import { SETTINGS } from './settings.ts'
import type { Settings } from './settings.ts'

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The password inside a connection URL; one that only repeats the user name is no secret. */
function passwordIn(text: string): readonly string[] {
  if (!URL.canParse(text)) return []
  const { username, password } = new URL(text)
  return password === username ? [] : [password]
}

/** The value of a `name=value` header. */
const headerValueIn = (text: string): readonly string[] => {
  const at = text.indexOf('=')
  return at === -1 ? [] : [text.slice(at + 1)]
}

const isText = (value: unknown): value is string => typeof value === 'string'

/**
 * Every text that must not leave the process: the secret settings as they were given, passwords
 * inside connection URLs, values of secret headers, each also percent-decoded. No empty texts.
 */
export function secretValues(settings: Settings): readonly string[] {
  const found = SETTINGS.filter(({ secret }) => secret).flatMap((setting) => {
    const value = valueInForce(settings, setting)
    if (isText(value)) return [value, ...passwordIn(value)]
    return Array.isArray(value) ? value.filter(isText).flatMap((item) => [item, ...headerValueIn(item)]) : []
  })
  return [...new Set(found.flatMap((text) => [text, decoded(text)]))].filter((text) => text !== '')
}
