/**
 * Tokens that the operator planted in places that nobody should read out, and the spellings in which they are known
 * again: any case, with anything between their characters, percent-encoded, as base64, as hex, and backwards.
 */

import { compatible } from '../kernel/normal-form.ts'

export interface Canary {
  /** Whether a text holds a token, however it is spelled. */
  isIn(text: string): boolean
}

/** Shorter ones would be found in honest text. */
export const MIN_TOKEN = 12
const [MAX_TOKENS, MAX_TOKEN] = [100, 200]

/** @returns what is wrong, in words for the operator; undefined for tokens that can be held to. */
export function tokenProblem(tokens: unknown): string | undefined {
  if (!Array.isArray(tokens) || tokens.length > MAX_TOKENS) return `must be a list of at most ${MAX_TOKENS} texts`
  const isToken = (one: unknown): boolean => typeof one === 'string' && one.length <= MAX_TOKEN && folded(one).length >= MIN_TOKEN
  return tokens.every(isToken) ? undefined : `each token needs ${MIN_TOKEN} to ${MAX_TOKEN} characters, of which at least ${MIN_TOKEN} are letters and digits`
}

export function createCanary(tokens: readonly string[]): Canary {
  const spellings = [...new Set(tokens.flatMap(spellingsOf))]
  return {
    isIn(text) {
      if (spellings.length === 0) return false
      const seen = [folded(text), ...(text.includes('%') ? [folded(decoded(text))] : [])]
      return spellings.some((one) => seen.some((whole) => whole.includes(one)))
    },
  }
}

/** Letters and digits alone: what stands between them carries nothing. */
const folded = (text: string): string => compatible(text).toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

const decoded = (text: string): string =>
  text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))

function spellingsOf(token: string): readonly string[] {
  const bytes = [...new TextEncoder().encode(token)]
  const hex = bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')
  const backwards = [...folded(token)].reverse().join('')
  return [folded(token), backwards, hex, ...[0, 1, 2].map((shift) => base64Core(bytes, shift))]
}

/** What of the base64 of a text is the same whatever stands around it, when it starts so many bytes into a group. */
function base64Core(bytes: readonly number[], shift: number): string {
  const padded = String.fromCharCode(...Array.from({ length: shift }, () => 0), ...bytes)
  const text = btoa(padded).replace(/=+$/, '')
  const isWhole = (shift + bytes.length) % 3 === 0
  return folded(text.slice(shift === 0 ? 0 : shift + 1, isWhole ? undefined : -1))
}
