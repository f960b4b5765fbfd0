/**
 * The kinds of value a setting can hold. A kind knows its schema, how the value is written as text
 * (environment, `.env`, flags), and the words that say what is accepted; messages are made from
 * those words alone, so an operator's value is never repeated.
 */

import * as z from 'zod'

export interface Kind<Value> {
  readonly type: 'boolean' | 'integer' | 'decimal' | 'choice' | 'text' | 'json' | 'list'
  /** Judges the value as a config file holds it and as `Settings` hands it out. Made when first asked for: most never are. */
  readonly schema: () => z.ZodType<Value>
  /** Completes the sentence "accepts …". */
  readonly accepts: string
  /** What an empty text means for a setting that may be unset: "unset", or a value to be judged like any other. */
  readonly blank: 'unset' | 'value'
  /** Inclusive bounds of a number. */
  readonly range?: Range
  /** What a config file may hold, where that is wider than `schema`; `fromFile` narrows it. */
  readonly fileSchema?: () => z.ZodType
  /** Turns a text into a candidate for `schema`; never throws. */
  parseText(text: string): unknown
  /** Turns a config file's value into a candidate for `schema`; never throws. */
  fromFile(value: unknown): unknown
  /** Writes a value the way `parseText` reads it. */
  formatText(value: Value): string
}

export interface Range {
  readonly min: number
  readonly max: number
}

/** Makes a thing at the first call and keeps it. */
export function once<Thing>(make: () => Thing): () => Thing {
  let made: Thing | undefined
  return () => {
    made ??= make()
    return made
  }
}

const asIs = (value: unknown): unknown => value

const TRUE = new Set(['true', '1', 'yes', 'on'])
const FALSE = new Set(['false', '0', 'no', 'off'])

/** A yes or no; text in any letter case. */
export function toggle(): Kind<boolean> {
  return {
    type: 'boolean',
    schema: once(() => z.boolean()),
    accepts: 'true or false (as text also 1 or 0, yes or no, on or off)',
    blank: 'unset',
    parseText(text) {
      const word = text.trim().toLowerCase()
      return TRUE.has(word) ? true : FALSE.has(word) ? false : text
    },
    fromFile: asIs,
    formatText: String,
  }
}

const INTEGER = /^-?(?:0|[1-9]\d*)$/
const DECIMAL = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/

const parseNumber = (shape: RegExp, text: string): unknown => {
  const trimmed = text.trim()
  return shape.test(trimmed) ? Number(trimmed) : text
}

/** A whole number in an inclusive range, in plain decimal digits. */
export function integer(range: Range, unit = ''): Kind<number> {
  return {
    type: 'integer',
    schema: once(() => z.int().min(range.min).max(range.max)),
    accepts: `a whole number${unit && ` of ${unit}`} from ${range.min} to ${range.max}`,
    blank: 'unset',
    range,
    parseText: (text) => parseNumber(INTEGER, text),
    fromFile: asIs,
    formatText: String,
  }
}

/** How many of something, one at least unless `min` says otherwise. */
export const count = (max: number, min = 1): Kind<number> => integer({ min, max })

/** A size in bytes. */
export const bytes = (max: number, min = 1): Kind<number> => integer({ min, max }, 'bytes')

/** A length in characters (UTF-16 code units). */
export const characters = (max: number): Kind<number> => integer({ min: 1, max }, 'characters')

/** A duration in milliseconds. */
export const milliseconds = (range: Range): Kind<number> => integer(range, 'milliseconds')

/** A duration in seconds; fractions are allowed, and whole values are written with one decimal to show it. */
export function seconds(max: number, min = 0.001): Kind<number> {
  return {
    type: 'decimal',
    schema: once(() => z.number().min(min).max(max)),
    accepts: `a number of seconds from ${min} to ${max}, fractions allowed`,
    blank: 'unset',
    range: { min, max },
    parseText: (text) => parseNumber(DECIMAL, text),
    fromFile: asIs,
    formatText: (value) => (Number.isInteger(value) ? value.toFixed(1) : String(value)),
  }
}

/** One word out of a closed set. */
export function choice<const Words extends readonly [string, ...string[]]>(words: Words): Kind<Words[number]> {
  return {
    type: 'choice',
    schema: once(() => z.enum(words)),
    accepts: `one of ${words.join(', ')}`,
    blank: 'unset',
    parseText: (text) => text.trim(),
    fromFile: asIs,
    formatText: String,
  }
}

/**
 * Several values: separated by commas in text, an array in a config file. An empty text is an
 * empty list, which is a value; only leaving the setting out leaves it unset.
 */
export function list<Value>(item: Kind<Value>, maxItems = 1000): Kind<readonly Value[]> {
  const parts = (text: string): string[] =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '')
  return {
    type: 'list',
    schema: once(() => z.array(item.schema()).max(maxItems).readonly()),
    accepts: `a list (comma-separated text, or an array in the config file) whose every item is ${item.accepts}`,
    blank: 'value',
    parseText: (text) => parts(text).map((part) => item.parseText(part)),
    fromFile: asIs,
    formatText: (values) => values.map((value) => item.formatText(value)).join(','),
  }
}
