/** JSON objects (RFC 8259 §4) among values and texts of which nothing is known. */

import type { Fields } from './schema.ts'

export const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value)

/** The object that a text spells; undefined for every other text. */
export function objectIn(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
