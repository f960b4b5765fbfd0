/**
 * The shape of a call's arguments, for the audit: names that the schema knows, types and sizes.
 * What a caller typed, value or key, never becomes part of it.
 */

const MAX_DEPTH = 3
const MAX_KEYS = 20
const MAX_LENGTH = 400
/** Characters for names and types; the rest of the length is kept for the counts of what was left out. */
const ROOM = 300
const PLAIN_NAME = /^[A-Za-z_$][\w$.-]{0,63}$/
const NOTHING_KNOWN: ReadonlySet<string> = new Set()

/**
 * Describes a value as `{expression: string(5), n: number, list: array(3)}`, at most 400 characters.
 * Keys outside `known`, at any depth, are only counted (`+2 unknown`). Objects are entered three levels
 * deep and show 20 keys each; arrays and texts show their length alone. Getters are not called. Never throws.
 */
export function shapeOf(value: unknown, known: ReadonlySet<string> = NOTHING_KNOWN): string {
  try {
    const text = shape(value, known, { depth: 1, room: ROOM })
    return text.length <= MAX_LENGTH ? text : `${text.slice(0, MAX_LENGTH - 1)}…`
  } catch {
    // A proxy of a library caller may throw from any trap.
    return 'unreadable'
  }
}

interface Bounds {
  readonly depth: number
  readonly room: number
}

function shape(value: unknown, known: ReadonlySet<string>, bounds: Bounds): string {
  if (value === null) return 'null'
  if (typeof value === 'string') return `string(${value.length})`
  if (typeof value !== 'object') return typeof value
  if (Array.isArray(value)) return `array(${value.length})`
  if (ArrayBuffer.isView(value)) return `bytes(${value.byteLength})`
  return bounds.depth > MAX_DEPTH ? '{…}' : objectShape(value, known, bounds)
}

function objectShape(value: object, known: ReadonlySet<string>, { depth, room }: Bounds): string {
  const parts: string[] = []
  let used = 0
  let found = 0
  // Walking the schema's names instead of the caller's keeps the order ours and the work small.
  for (const name of known) {
    const property = Object.getOwnPropertyDescriptor(value, name)
    if (property?.enumerable !== true || !PLAIN_NAME.test(name)) continue
    found += 1
    const left = room - used - name.length - 2
    if (parts.length === MAX_KEYS || left <= 0) continue
    const type = 'value' in property ? shape(property.value, known, { depth: depth + 1, room: left }) : 'accessor'
    parts.push(`${name}: ${type}`)
    used += name.length + type.length + 4
  }
  const more = found - parts.length
  const unknown = Object.keys(value).length - found
  if (more > 0) parts.push(`+${more} more`)
  if (unknown > 0) parts.push(`+${unknown} unknown`)
  return `{${parts.join(', ')}}`
}
