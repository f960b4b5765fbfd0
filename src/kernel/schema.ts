/**
 * A schema is `{ parse, json }`: what the guards run and what a client is told. Adapters exist for zod
 * and for plain JSON Schema (2020-12), so a user's own tool needs neither our library nor our taste.
 */

import * as z from 'zod'

export type JsonSchema = Readonly<Record<string, unknown>>
export type Fields = Readonly<Record<string, unknown>>

/** Problems name a known field and a rule. They never hold a value or a name that the caller made up. */
export type Parsed<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problems: readonly string[] }

export interface Schema<T = Fields> {
  parse(raw: unknown): Parsed<T>
  readonly json: JsonSchema
  /** Every property name that the schema declares, at any depth. */
  readonly names: ReadonlySet<string>
}

const MAX_PROBLEMS = 8
/** Characters from which on a bound is a guard and no advice. It is enforced, but not listed. */
const LONG_TEXT = 1_000
const SAFE_INTEGER = Number.MAX_SAFE_INTEGER

/** Wraps a zod schema. `io` says which side is described where a default makes the two differ. */
export function fromZod<S extends z.ZodType>(schema: S, io: 'input' | 'output'): Schema<z.output<S>> {
  return described(schema, lazyJson(() => compact(z.toJSONSchema(schema, { io }), io)))
}

/** Keywords whose meaning the checks keep in full. Others are conversions that lose a rule, or rules that need a resolver. */
const CHECKED = new Set([
  '$schema', '$id', '$comment', 'title', 'description', 'default', 'examples', 'deprecated', 'readOnly', 'writeOnly',
  'type', 'enum', 'const', 'properties', 'required', 'additionalProperties', 'items', 'minItems', 'maxItems', 'uniqueItems',
  'minLength', 'maxLength', 'pattern', 'format', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf',
])

/**
 * Wraps a JSON Schema. The text is sent to clients as it is given; checks run through zod.
 * @throws TypeError for a keyword that could not be checked in full: bring a `Schema` of your own for those.
 */
export function fromJsonSchema(json: JsonSchema): Schema {
  const unchecked = firstUnchecked(json)
  if (unchecked !== undefined) throw new TypeError(`the keyword ${unchecked} would not be checked in full: give { parse, json, names } instead of a JSON Schema`)
  const schema = z.fromJSONSchema(json as never) as z.ZodType<Fields>
  return described(schema, () => json)
}

function firstUnchecked(json: unknown): string | undefined {
  if (json === null || typeof json !== 'object' || Array.isArray(json)) return undefined
  const { properties, items, additionalProperties, ...own } = json as Readonly<Record<string, unknown>>
  const unknown = Object.keys(own).find((keyword) => !CHECKED.has(keyword))
  const inner = [...Object.values((properties ?? {}) as object), items, additionalProperties]
  return unknown ?? inner.map(firstUnchecked).find((keyword) => keyword !== undefined)
}

function described<S extends z.ZodType>(schema: S, json: () => JsonSchema): Schema<z.output<S>> {
  let names: ReadonlySet<string> | undefined
  const known = (): ReadonlySet<string> => (names ??= propertyNames(json()))
  return {
    parse(raw) {
      const { success, data, error } = schema.safeParse(raw)
      return success ? { ok: true, value: data } : { ok: false, problems: problemsOf(error.issues, known()) }
    },
    get json() {
      return json()
    },
    get names() {
      return known()
    },
  }
}

const lazyJson = (make: () => JsonSchema): (() => JsonSchema) => {
  let made: JsonSchema | undefined
  return () => (made ??= Object.freeze(make()))
}

function problemsOf(issues: readonly z.core.$ZodIssue[], names: ReadonlySet<string>): string[] {
  const said = issues.slice(0, MAX_PROBLEMS).map((issue) => {
    const path = issue.path.map((part) => (typeof part === 'number' ? '[]' : names.has(String(part)) ? String(part) : '*')).join('.')
    const said = rule(issue, names)
    return path === '' ? said : `${path}: ${said}`
  })
  return [...new Set(said)]
}

const MAX_NAMED = 12

function rule(issue: z.core.$ZodIssue, names: ReadonlySet<string>): string {
  switch (issue.code) {
    case 'invalid_type':
      return `expected ${issue.expected}`
    case 'too_small':
      return `at least ${issue.minimum}${unit(issue.origin)}`
    case 'too_big':
      return `at most ${issue.maximum}${unit(issue.origin)}`
    case 'invalid_value':
      return `one of ${issue.values.map(String).join(', ')}`
    case 'unrecognized_keys':
      return `${issue.keys.length} unknown field${issue.keys.length === 1 ? '' : 's'}; known: ${[...names].slice(0, MAX_NAMED).join(', ') || 'none'}`
    case 'not_multiple_of':
      return `a multiple of ${issue.divisor}`
    case 'invalid_format':
      // The pattern stands in the schema that the caller was given.
      return issue.format === 'regex' ? `must match ${String(issue['pattern'])}` : `not a valid ${issue.format}`
    case 'custom':
      return issue.params?.['rule'] === undefined ? 'not accepted' : String(issue.params['rule'])
    default:
      return 'not accepted'
  }
}

const unit = (origin: string): string => (origin === 'string' ? ' characters' : origin === 'array' ? ' items' : '')

function propertyNames(json: unknown, into = new Set<string>()): Set<string> {
  if (Array.isArray(json)) for (const item of json) propertyNames(item, into)
  else if (json !== null && typeof json === 'object') {
    for (const [key, value] of Object.entries(json)) {
      if (key === 'properties' && value !== null && typeof value === 'object') for (const name of Object.keys(value)) into.add(name)
      propertyNames(value, into)
    }
  }
  return into
}

/** Drops what tells a model nothing: the dialect, bounds that only an attacker meets, and closedness of answers. */
function compact(json: unknown, io: 'input' | 'output'): JsonSchema {
  return prune(json, io) as JsonSchema
}

function prune(json: unknown, io: 'input' | 'output'): unknown {
  if (Array.isArray(json)) return json.map((item) => prune(item, io))
  if (json === null || typeof json !== 'object') return json
  const kept = Object.entries(json).filter(([key, value]) => !isNoise(key, value, io))
  return Object.fromEntries(kept.map(([key, value]) => [key, prune(value, io)]))
}

const isEmptyObject = (value: unknown): boolean => typeof value === 'object' && value !== null && Object.keys(value).length === 0

const isNoise = (key: string, value: unknown, io: 'input' | 'output'): boolean =>
  key === '$schema' ||
  (key === 'maximum' && value === SAFE_INTEGER) ||
  (key === 'minimum' && value === -SAFE_INTEGER) ||
  (key === 'minLength' && value === 1) ||
  (key === 'minimum' && (value === 0 || value === 1)) ||
  (io === 'output' && (key === 'properties' || key === 'additionalProperties') && isEmptyObject(value)) ||
  (key === 'maxLength' && typeof value === 'number' && value >= LONG_TEXT) ||
  (key === 'additionalProperties' && value === false && io === 'output') ||
  // Every name of a JSON object is a string, and what is not forbidden is allowed.
  (key === 'propertyNames' && JSON.stringify(value) === '{"type":"string"}') ||
  (key === 'additionalProperties' && JSON.stringify(value) === '{}')
