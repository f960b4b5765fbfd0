/**
 * What is declared is checked where it is declared: types do not hold programs in JavaScript back, and a part that is
 * missing or misspelt would be a fault of the first call, or a guard that guards nothing.
 */

/** Whether a part is what it has to be, and how that is said after `is`. */
export interface Rule {
  readonly says: string
  fits(value: unknown): boolean
}

export type Rules = Readonly<Record<string, Rule>>

const NAME = /^[a-z][a-z0-9_]{0,63}$/
/** A scope token (RFC 6749 §3.3) of an area and what may be done there; no token could carry another. */
const SCOPE = /^(?=[^:]+:.)[\x21\x23-\x5b\x5d-\x7e]+$/

export const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== ''
const isFunction = (value: unknown): boolean => typeof value === 'function'

export const TEXT: Rule = { says: 'a text that says something', fits: isText }
export const FUNCTION: Rule = { says: 'a function', fits: isFunction }
export const SCOPED: Rule = { says: 'an area and an action, such as notes:read, of characters that a token can carry', fits: (value) => isText(value) && SCOPE.test(value) }
export const SWITCH: Rule = { says: 'true or false', fits: (value) => typeof value === 'boolean' }
export const LIST: Rule = { says: 'a list', fits: Array.isArray }
export const TEXTS: Rule = { says: 'a list of names', fits: (value) => Array.isArray(value) && value.every(isText) }
export const COUNT: Rule = { says: 'a whole number of calls, one at least', fits: (value) => Number.isSafeInteger(value) && Number(value) >= 1 }
/** By its own mark and not by its class: a program may have another copy of the library. */
export const ZOD_OBJECT: Rule = {
  says: 'an object schema of zod 4',
  fits: (value) => (value as { readonly _zod?: { readonly def?: { readonly type?: unknown } } } | null | undefined)?._zod?.def?.type === 'object',
}

export const oneOf = (words: readonly string[]): Rule => ({ says: `one of ${words.join(', ')}`, fits: (value) => words.includes(value as string) })
/** For what may be left out. */
export const maybe = ({ says, fits }: Rule): Rule => ({ says, fits: (value) => value === undefined || fits(value) })

export const isSnakeCase = (name: unknown): name is string => typeof name === 'string' && NAME.test(name)

/** @throws TypeError naming the first part of `who` that is not what its rule says. */
export function checkFacts(who: string, facts: object, rules: Rules): void {
  for (const [part, { says, fits }] of Object.entries(rules)) {
    if (!fits((facts as Readonly<Record<string, unknown>>)[part])) throw new TypeError(`${who}: ${part} is ${says}`)
  }
}
