/**
 * Where each string of an answer comes from. Sanitising, framing and redaction follow these marks, so
 * a tool whose answer has a string of no declared origin does not build.
 */

import * as z from 'zod'

/**
 * How text from outside is cleaned: `text` keeps lines, `line` is one short line, `markdown` and `json` are rebuilt
 * from what they say, and a `document` is whichever of those `metadata.format` of the same answer names.
 */
export type Format = 'text' | 'line' | 'markdown' | 'json' | 'document'

export interface Origin {
  readonly from: 'outside' | 'caller' | 'server'
  readonly format: Format
  /** Whether the leaf is wrapped in a random fence (content), or only cleaned (names, snippets). */
  readonly fenced: boolean
}

const origins = z.registry<Origin>()

const mark = <S extends z.ZodType>(schema: S, origin: Origin): S => {
  // A clone keeps the mark on this use only: the same base schema may stand elsewhere with another origin.
  const own = schema.clone() as S
  origins.add(own, origin)
  return own
}

/** Content that somebody else wrote: cleaned for its format and fenced as data. */
export const untrusted = <S extends z.ZodType>(schema: S, format: Format = 'text'): S =>
  mark(schema, { from: 'outside', format, fenced: true })

/** A short string from outside, such as a name or a header: cleaned, not fenced. */
export const outsideLine = <S extends z.ZodType>(schema: S): S => mark(schema, { from: 'outside', format: 'line', fenced: false })

/** Text from outside that is short, a tree of short texts, or already fenced: cleaned, not fenced. */
export const outsideText = <S extends z.ZodType>(schema: S): S => mark(schema, { from: 'outside', format: 'text', fenced: false })

/** What the caller sent, sent back: cleaned too, because the caller may have had it from outside. */
export const echoed = <S extends z.ZodType>(schema: S): S => mark(schema, { from: 'caller', format: 'line', fenced: false })

/** Text that this server made. */
export const ours = <S extends z.ZodType>(schema: S): S => mark(schema, { from: 'server', format: 'line', fenced: false })

const unlistedSchemas = new WeakMap<object, z.ZodType>()

/** An object that is checked, cleaned and fenced by its fields, and listed without them: for details that are not worth their price in every conversation. */
export function unlisted<S extends z.ZodObject>(schema: S): z.ZodType<z.output<S>, z.input<S>> {
  const shown = z.looseObject({}).refine((value) => schema.safeParse(value).success)
  unlistedSchemas.set(shown, schema)
  return shown as unknown as z.ZodType<z.output<S>, z.input<S>>
}

/** Tells the release guards where the strings of an answer are. */
export type Plan =
  | { readonly at: 'leaf'; readonly origin: Origin }
  | { readonly at: 'object'; readonly fields: readonly (readonly [name: string, plan: Plan])[] }
  | { readonly at: 'array'; readonly item: Plan }

/** Walks a schema once. @throws TypeError naming the first string of no declared origin. */
export function planOf(schema: z.ZodType, where = 'output'): Plan | undefined {
  const origin = origins.get(schema)
  if (origin) return { at: 'leaf', origin }
  const hidden = unlistedSchemas.get(schema)
  if (hidden) return planOf(hidden, where)
  const { def } = schema._zod as unknown as { def: Definition }
  switch (def.type) {
    case 'object':
      return objectPlan(def.shape ?? {}, where)
    case 'array':
      return within(def.element, `${where}[]`, (item) => ({ at: 'array', item }))
    case 'optional':
    case 'nullable':
    case 'default':
    case 'readonly':
    case 'nonoptional':
      return def.innerType && planOf(def.innerType, where)
    case 'number':
    case 'int':
    case 'boolean':
    case 'null':
    case 'literal':
    case 'enum':
      return undefined
    default:
      throw new TypeError(`${where} has no declared origin: wrap it in untrusted(), outsideLine(), echoed() or ours()`)
  }
}

interface Definition {
  readonly type: string
  readonly shape?: Readonly<Record<string, z.ZodType>>
  readonly element?: z.ZodType
  readonly innerType?: z.ZodType
}

function objectPlan(shape: Readonly<Record<string, z.ZodType>>, where: string): Plan | undefined {
  const fields = Object.entries(shape).flatMap(([name, field]) => {
    const plan = planOf(field, `${where}.${name}`)
    return plan ? [[name, plan] as const] : []
  })
  return fields.length === 0 ? undefined : { at: 'object', fields }
}

function within(schema: z.ZodType | undefined, where: string, wrap: (plan: Plan) => Plan): Plan | undefined {
  const plan = schema && planOf(schema, where)
  return plan && wrap(plan)
}

/** Whether any leaf of the plan came from outside. */
export const holdsOutside = (plan: Plan | undefined): boolean => holds(plan, ({ from }) => from === 'outside')

/** Whether any leaf of the plan was not made by this server. */
export const holdsForeign = (plan: Plan | undefined): boolean => holds(plan, ({ from }) => from !== 'server')

function holds(plan: Plan | undefined, wanted: (origin: Origin) => boolean): boolean {
  if (!plan) return false
  if (plan.at === 'leaf') return wanted(plan.origin)
  return plan.at === 'array' ? holds(plan.item, wanted) : plan.fields.some(([, field]) => holds(field, wanted))
}

/** A copy of `value` in which every planned string went through `change`. A leaf may hold a whole tree. */
export function mapLeaves(value: unknown, plan: Plan | undefined, change: (text: string, origin: Origin) => string): unknown {
  if (!plan || value === null || value === undefined) return value
  if (plan.at === 'leaf') return mapStrings(value, (text) => change(text, plan.origin), (key) => changedKey(key, plan.origin, change))
  if (plan.at === 'array') return Array.isArray(value) ? value.map((item) => mapLeaves(item, plan.item, change)) : value
  if (typeof value !== 'object') return value
  const copy: Record<string, unknown> = { ...value }
  for (const [name, field] of plan.fields) if (Object.hasOwn(copy, name)) copy[name] = mapLeaves(copy[name], field, change)
  return copy
}

/** MCP's own member: what is in it speaks to the client, and nothing from outside may. */
const RESERVED = '_meta'

const changedKey = (key: string, origin: Origin, change: (text: string, origin: Origin) => string): string | undefined =>
  key === RESERVED && origin.from === 'outside' ? undefined : change(key, origin)

/**
 * A copy of a JSON value in which every string went through `change`, and every key through `changeKey`; a member
 * whose key comes to nothing is left out.
 */
export function mapStrings(value: unknown, change: (text: string) => string, changeKey: (key: string) => string | undefined = change): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, change, changeKey))
  if (value === null || typeof value !== 'object') return value
  const copy: Record<string, unknown> = {}
  for (const [key, item] of Object.entries(value)) {
    const name = changeKey(key)
    const member = name !== undefined && mapStrings(item, change, changeKey)
    if (name === '__proto__') Object.defineProperty(copy, name, { value: member, enumerable: true, writable: true, configurable: true })
    else if (name !== undefined) copy[name] = member
  }
  return copy
}
