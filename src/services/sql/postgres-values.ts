/** Values between JSON and the text format of Postgres. */

import { floatCell, integerCell, jsonCell } from './cells.ts'
import type { Cell, SqlScalar, SqlValue } from './engine-port.ts'

/** Names of the types that have a number of their own in every database (pg_type.dat). */
const TYPES: ReadonlyMap<number, string> = new Map(
  Object.entries({
    16: 'boolean', 17: 'bytea', 18: '"char"', 19: 'name', 20: 'bigint', 21: 'smallint', 23: 'integer', 25: 'text', 26: 'oid', 114: 'json', 142: 'xml', 600: 'point', 650: 'cidr', 700: 'real', 701: 'double precision',
    790: 'money', 829: 'macaddr', 869: 'inet', 1000: 'boolean[]', 1005: 'smallint[]', 1007: 'integer[]', 1009: 'text[]', 1014: 'character[]', 1015: 'varchar[]', 1016: 'bigint[]', 1021: 'real[]', 1022: 'double precision[]', 1028: 'oid[]',
    1042: 'character', 1043: 'varchar', 1082: 'date', 1083: 'time', 1114: 'timestamp', 1184: 'timestamptz', 1186: 'interval', 1231: 'numeric[]', 1266: 'timetz', 1560: 'bit', 1562: 'varbit', 1700: 'numeric', 2205: 'regclass', 2249: 'record',
    2950: 'uuid', 2951: 'uuid[]', 3614: 'tsvector', 3615: 'tsquery', 3802: 'jsonb', 3904: 'int4range', 3926: 'int8range',
  }).map(([oid, name]) => [Number(oid), name]),
)

export const typeName = (oid: number): string => TYPES.get(oid) ?? ''

const INTEGERS = new Set(['bigint', 'smallint', 'integer', 'oid'])
const FLOATS = new Set(['real', 'double precision'])

/** What makes JSON of the text of a type's values. What has no exact counterpart stays the text that Postgres writes. */
export function cellReader(oid: number): (text: string | null) => Cell {
  const type = typeName(oid)
  const isArray = type.endsWith('[]')
  const one = scalarReader(isArray ? type.slice(0, -2) : type)
  const read = isArray ? (text: string) => arrayCell(text, one) : one
  return (text) => (text === null ? null : read(text))
}

const itself = (text: string): Cell => text

function scalarReader(type: string): (text: string) => Cell {
  if (type === 'boolean') return (text) => text === 't'
  if (INTEGERS.has(type)) return integerCell
  if (FLOATS.has(type)) return floatCell
  return type === 'json' || type === 'jsonb' ? jsonCell : itself
}

/** `{1,NULL,"a b"}` of one dimension as a list; anything else stays text. */
function arrayCell(text: string, one: (text: string) => Cell): Cell {
  if (!/^\{[^{}]*\}$/.test(text) && !/^\{[^"{}]*(?:"(?:[^"\\]|\\.)*"[^"{}]*)*\}$/.test(text)) return text
  const items: Cell[] = []
  for (const [, quoted, bare] of text.slice(1, -1).matchAll(/"((?:[^"\\]|\\.)*)"|([^,"]+)/g)) {
    items.push(bare === 'NULL' ? null : one(quoted?.replace(/\\(.)/gs, '$1') ?? bare ?? ''))
  }
  return items
}

/** A value for a placeholder. Its type is left open, so that Postgres takes the one that the query needs. */
export function postgresParameter(value: SqlValue): string | null {
  return isList(value) ? `{${value.map(arrayItem).join(',')}}` : scalarText(value)
}

const isList = (value: SqlValue): value is readonly SqlScalar[] => Array.isArray(value)

const scalarText = (value: SqlScalar): string | null => (value === null ? null : String(value))

const arrayItem = (value: SqlScalar): string => (value === null ? 'NULL' : `"${String(value).replace(/["\\]/g, '\\$&')}"`)
