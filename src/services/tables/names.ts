/** Names of tables and columns, such that a query needs no quotes for them. */

import { LoadError } from './load-error.ts'

const MAX_BYTES = 63
/** Columns that every table has already (PostgreSQL, §5.6). */
const SYSTEM = new Set(['tableoid', 'xmin', 'cmin', 'xmax', 'cmax', 'ctid'])

/** In lower case, with `_` for what no name holds: `Unit price (€)` becomes `unit_price`. Empty where nothing is left. */
export function plainName(text: string): string {
  const name = text.normalize('NFC').toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '_').replaceAll(/^_+|_+$/g, '')
  return /^\p{N}/u.test(name) ? `_${name}` : name
}

/** @throws LoadError for a name that no table can have, or that a query could not reach. */
export function tableName(text: string): string {
  const name = plainName(text)
  if (name === '') throw new LoadError('the table has no name; give it one with --table')
  if (name.startsWith('pg_')) throw new LoadError('names that begin with pg_ belong to the database; give another with --table')
  return short(name)
}

/** One name for each column of a file. @throws LoadError */
export function columnNames(given: readonly string[]): readonly string[] {
  const known = new Map<string, number>()
  return given.map((text, at) => {
    const name = short(plainName(text))
    if (name === '') throw new LoadError(`column ${at + 1} has no name`, 1)
    if (SYSTEM.has(name)) throw new LoadError(`column ${at + 1} is named ${name}, which every table has already`, 1)
    const before = known.get(name)
    if (before !== undefined) throw new LoadError(`columns ${before + 1} and ${at + 1} are both named ${name}`, 1)
    known.set(name, at)
    return name
  })
}

function short(name: string): string {
  if (Buffer.byteLength(name) > MAX_BYTES) throw new LoadError(`a name has at most ${MAX_BYTES} bytes: ${name.slice(0, 20)}…`)
  return name
}

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`
