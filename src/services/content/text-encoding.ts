/** Bytes from outside as text: UTF-8 without exception (RFC 3629), or a refusal. Nothing is guessed or repaired. */

import { refusal } from '../../kernel/refusal.ts'
import { cleanText } from './clean-text.ts'

const HINT = 'only UTF-8 is read'
const strict = new TextDecoder('utf-8', { fatal: true })
/** The byte order mark of UTF-7, in its four spellings (RFC 2152). */
const UTF7_MARK = /^\+\/v[89+/]/
const UTF7_SHIFT = /\+(A[A-H][A-Za-z0-9+/]{1,40})-/g

/**
 * One byte order mark of UTF-8 is dropped.
 * @throws Refusal `content.encoding` for invalid UTF-8, and for what shows itself as UTF-16, UTF-32 or UTF-7.
 */
export function decodeUtf8(bytes: Uint8Array): string {
  if (isWide(bytes)) throw refusal('content.encoding', HINT, 'utf-16')
  const text = decoded(bytes)
  if (UTF7_MARK.test(text) || hidesMarkup(text)) throw refusal('content.encoding', HINT, 'utf-7')
  return text
}

/**
 * @param content bytes, or text that was decoded already.
 * @returns clean text, see {@link cleanText}.
 * @throws Refusal `content.encoding`.
 */
export const sanitiseText = (content: Uint8Array | string): string =>
  cleanText(typeof content === 'string' ? content : decodeUtf8(content))

const decoded = (bytes: Uint8Array): string => {
  try {
    return strict.decode(bytes)
  } catch {
    throw refusal('content.encoding', HINT, 'invalid')
  }
}

/** UTF-16 or UTF-32 without a mark: every second byte at the start is zero. (The marks themselves are no UTF-8.) */
function isWide(bytes: Uint8Array): boolean {
  const start = bytes.subarray(0, 64)
  return start.length >= 4 && [0, 1].some((parity) => start.every((byte, index) => index % 2 !== parity || byte === 0))
}

/** Angle brackets that only a reader of UTF-7 would see. Encoders write them so; what merely resembles it passes. */
const hidesMarkup = (text: string): boolean => {
  for (const [, shifted = ''] of text.matchAll(UTF7_SHIFT)) {
    const units = Buffer.from(shifted, 'base64')
    const isAscii = units.length % 2 === 0 && units.every((byte, index) => (index % 2 === 0 ? byte === 0 : byte < 0x80))
    if (isAscii && (units.includes(0x3c) || units.includes(0x3e))) return true
  }
  return false
}
