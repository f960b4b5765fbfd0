/** JSON as tools write it for themselves: with comments and commas too many. */

import { isObject } from '../../kernel/json-object.ts'
import { lex, SLASHES } from './lexed.ts'

export type Fields = Readonly<Record<string, unknown>>

/** @returns an empty object for what is none. */
export function parseLooseJson(text: string): Fields {
  const { code, strings } = lex(text.replace(/^\ufeff/, ''), { ...SLASHES, quotes: ['"'] })
  const strict = code.replace(/,(\s*[}\]])/g, '$1').replace(/\u0001(\d+)\u0001/g, (_whole, place: string) => `"${strings[Number(place)] ?? ''}"`)
  try {
    return fieldsOf(JSON.parse(strict))
  } catch {
    return {}
  }
}

export const fieldsOf = (value: unknown): Fields => (isObject(value) ? value : {})
export const textIn = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
export const textsIn = (value: unknown): readonly string[] => (Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [])
