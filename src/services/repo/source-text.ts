/** Bytes of a source file as text, or the reason why they are none. */

import { isAscii, isUtf8 } from 'node:buffer'

/** Git takes a file for binary by the same look (buffer_is_binary). */
const SNIFFED_BYTES = 8000

/** @returns undefined for UTF-8 text. */
export function unfit(bytes: Uint8Array): 'binary' | 'encoding' | undefined {
  const [first, second] = bytes
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return 'encoding'
  if (bytes.subarray(0, SNIFFED_BYTES).includes(0)) return 'binary'
  return isUtf8(bytes) ? undefined : 'encoding'
}

/** UTF-8 without its byte order mark. */
export function sourceText(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (isAscii(buffer)) return buffer.toString('latin1')
  const text = buffer.toString('utf8')
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
}
