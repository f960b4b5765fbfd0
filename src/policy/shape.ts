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
 * deep and show 20 keys each; arrays and texts show their length alone. Getters are not called.
 * A known name whose value is undefined is no argument, so it is left out. Never throws.
 */
export function shapeOf(value: unknown, known: ReadonlySet<string> = NOTHING_KNOWN): string {
  try {
    const text = flatShape(value) ?? objectShape(value as object, known, { depth: 1, room: ROOM })
    return text.length <= MAX_LENGTH ? text : `${text.slice(0, MAX_LENGTH - 1)}…`
  } catch {
    // A proxy of a library caller may throw from any trap.
    return 'unreadable'
  }
}

/** The shape of what is not entered; undefined for an object. */
function flatShape(value: unknown): string | undefined {
  if (typeof value === 'string') return `string(${value.length})`
  if (typeof value !== 'object') return typeof value
  if (value === null) return 'null'
  if (Array.isArray(value)) return `array(${value.length})`
  return ArrayBuffer.isView(value) ? `bytes(${value.byteLength})` : undefined
}

interface Bounds {
  readonly depth: number
  readonly room: number
}

function objectShape(value: object, known: ReadonlySet<string>, { depth, room }: Bounds): string {
  if (depth > MAX_DEPTH) return '{…}'
  let text = ''
  let shown = 0
  let found = 0
  let absent = 0
  // Walking the schema's names instead of the caller's keeps the order ours and the work small.
  for (const name of known) {
    const property = Object.getOwnPropertyDescriptor(value, name)
    if (property?.enumerable !== true || !PLAIN_NAME.test(name)) continue
    if ('value' in property && property.value === undefined) {
      absent += 1
      continue
    }
    found += 1
    const lead = shown === 0 ? name : `, ${name}`
    const left = room - text.length - lead.length - 2
    if (shown === MAX_KEYS || left <= 0) continue
    const inner = 'value' in property ? flatShape(property.value) : 'accessor'
    const type = inner ?? objectShape(property.value, known, { depth: depth + 1, room: left })
    text += `${lead}: ${type}`
    shown += 1
  }
  const more = found - shown
  const unknown = Object.keys(value).length - found - absent
  if (more > 0) text += shown === 0 ? `+${more} more` : `, +${more} more`
  if (unknown > 0) text += text === '' ? `+${unknown} unknown` : `, +${unknown} unknown`
  return `{${text}}`
}
