/** How the values of a database become JSON without losing anything. */

import type { Cell } from './engine-port.ts'

/** As a number where every digit survives, otherwise as text. */
export const integerCell = (digits: string): number | string => {
  const value = Number(digits)
  return Number.isSafeInteger(value) ? value : digits
}

/** JSON has no NaN and no infinity. */
export const floatCell = (text: string): number | string => {
  const value = Number(text)
  return Number.isFinite(value) ? value : text
}

export const bytesCell = (bytes: Uint8Array): string => `\\x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')}`

/** A digit run that a double cannot hold for certain, or an exponent that may lead out of its range. */
const WIDE_NUMBER = /\d{16}|\d[\d.]{16}|(?:^|[[:,\s])-?\d[\d.]*[eE][+-]?\d{3}/

/** A JSON column as the value that it is, or as its text where a number in it would change. */
export function jsonCell(text: string): Cell {
  if (WIDE_NUMBER.test(text)) return text
  try {
    return JSON.parse(text) as Cell
  } catch {
    return text
  }
}
