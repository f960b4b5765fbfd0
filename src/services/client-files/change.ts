/**
 * A change of one entry in the text of a client's file, checked after it was made: the new text is read again, and
 * everything but the entry must be what it was. Byte order mark, line ends and the last line break are kept.
 */

import { isDeepStrictEqual } from 'node:util'
import type { Client, Target } from './clients.ts'
import { ClientFileError } from './file-error.ts'
import { dropJson, jsonValue, setJson } from './json-entry.ts'
import { dropToml, setToml, tomlValue } from './toml-entry.ts'

const MARK = '\uFEFF'

export interface Read {
  readonly hasMark: boolean
  /** Without the byte order mark. */
  readonly text: string
  readonly root: unknown
}

/** @throws ClientFileError where it is no text of the client's dialect. */
export function readClientText({ dialect }: Client, bytes: Uint8Array): Read {
  const whole = decode(bytes)
  const hasMark = whole.startsWith(MARK)
  const text = hasMark ? whole.slice(1) : whole
  if (text.trim() === '') return { hasMark, text, root: {} }
  return { hasMark, text, root: dialect === 'toml' ? tomlValue(text) : jsonValue(text, dialect) }
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new ClientFileError('it is not UTF-8 text')
  }
}

export interface Spot {
  readonly client: Client
  /** The key of the entry among the servers. */
  readonly entryName: string
}

const pathOf = ({ client, entryName }: Spot, root: unknown): readonly [string, ...string[]] => {
  const [first = entryName, ...rest] = client.holder(root)
  return [first, ...rest, entryName]
}

/** The entry that is there. */
export function entryIn(spot: Spot, { root }: Read): unknown {
  let at: unknown = root
  for (const key of pathOf(spot, root)) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined
    at = (at as Record<string, unknown>)[key]
  }
  return at
}

/** @returns the new bytes. @throws ClientFileError where the client has no such entry, or the file no room for it. */
export function withEntry(spot: Spot, read: Read, target: Target): Uint8Array {
  const { client } = spot
  const value = client.entry(target, read.root)
  if (typeof value === 'string') throw new ClientFileError(value)
  if (isDeepStrictEqual(plain(entryIn(spot, read)), plain(value))) return encode(read, read.text)
  const path = pathOf(spot, read.root)
  const text = client.dialect === 'toml' ? setToml(read.text, path, value) : setJson(read.text.trim() === '' ? '{}\n' : read.text, path, value, client.dialect)
  return checked(spot, read, { text, value })
}

/** @returns the new bytes. */
export function withoutEntry(spot: Spot, read: Read): Uint8Array {
  const { client } = spot
  const path = pathOf(spot, read.root)
  if (read.text.trim() === '') return encode(read, read.text)
  const text = client.dialect === 'toml' ? dropToml(read.text, path) : dropJson(read.text, path, client.dialect)
  return checked(spot, read, { text, value: undefined })
}

const encode = ({ hasMark }: Read, text: string): Uint8Array => new TextEncoder().encode((hasMark ? MARK : '') + text)

/** The edit is believed only as far as its result can be read. */
function checked(spot: Spot, read: Read, { text, value }: { readonly text: string; readonly value: unknown }): Uint8Array {
  const bytes = encode(read, text)
  const now = readClientText(spot.client, bytes)
  const path = pathOf(spot, read.root)
  if (!isDeepStrictEqual(plain(entryIn(spot, now)), plain(value)) || !isDeepStrictEqual(rest(now.root, path), rest(read.root, path))) throw new ClientFileError('its form is not one that can be changed safely; --print prints what to put into it')
  return bytes
}

/** The value without what lies at the path, and without objects that hold nothing then. */
function rest(value: unknown, path: readonly string[]): unknown {
  const [key, ...deeper] = path
  if (key === undefined || typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return plain(value)
  const { [key]: held, ...others } = plain(value) as Record<string, unknown>
  const left = deeper.length === 0 ? undefined : rest(held, deeper)
  const isEmpty = left === undefined || (typeof left === 'object' && left !== null && Object.keys(left).length === 0)
  return isEmpty ? { ...others } : { ...others, [key]: left }
}

/** Both parsers make objects without a prototype; that is no difference. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  return Object.fromEntries(Object.entries(value).map(([key, held]) => [key, plain(held)]))
}
