import { describe, expect, it } from 'vitest'
import { ColumnTypes, isTypeName } from './column-types.ts'

const typeOf = (...values: readonly (string | null)[]): string => {
  const types = new ColumnTypes()
  for (const value of values) types.note([value])
  return types.of(0)
}

describe('the type of a column', () => {
  it.each([
    ['bigint', ['0', '-1', '999999999999999999', null]],
    ['numeric', ['1', '1.50', '-0.1']],
    ['numeric', ['9223372036854775808']],
    ['double precision', ['1', '1.5', '1e10', '-2.5E-3']],
    ['boolean', ['true', 'FALSE', null]],
    ['date', ['2024-02-29', '1999-12-31']],
    ['timestamp', ['2024-01-01T10:00', '2024-01-01 10:00:00.123456']],
    ['timestamptz', ['2024-01-01T10:00:00Z', '2024-01-01 10:00+02', '2024-01-01 10:00-05:30']],
    ['text', [null, null]], ['text', []],
    ['text', ['1', '']], ['text', ['01234']], ['text', ['+1']], ['text', ['1,5']], ['text', [' 1']], ['text', ['1 ']], ['text', ['-0']], ['text', ['NaN']], ['text', ['1e999']],
    ['text', ['2023-02-29']], ['text', ['01/02/2024']], ['text', ['2024-01-01', '2024-01-01T10:00']], ['text', ['2024-01-01T10:00', '2024-01-01T10:00Z']], ['text', ['2024-01-01T24:00']],
    ['text', ['true', '1']], ['text', ['yes']], ['text', ['0x10']], ['text', ['1_000']], ['text', ['٣']],
  ] as const)('is %s for %j', (type, values) => {
    expect(typeOf(...values)).toBe(type)
  })
})

it.each([
  'text', 'numeric(10,2)', 'numeric(10, -2)', 'decimal', 'timestamp with time zone', 'timestamp(3) with time zone', 'timestamp(3)', 'time without time zone', 'timestamptz(6)',
  'varchar(3)', 'character varying(3)', 'char', 'char(3)', 'character(3)', 'nchar(2)', 'bpchar', 'bit', 'bit(3)', 'bit varying(8)', 'int4', 'double precision', 'float(24)', 'interval',
  'text[]', 'int[3][3]', 'char(3)[]', 'timestamp(3) with time zone[]', 'jsonb', 'uuid', 'vector(3)', 'int4range', 'nummultirange',
])('%s is a type', (good) => {
  expect(isTypeName(good)).toBe(true)
})

it.each([
  '', 'nonsense', 'text primary key', 'text not null', 'text unique', 'int default', 'text; drop table x', 'text)', '"text"', 'numeric(a)', 'text default 1', 'x.y', 'text--', 'text(3)',
  'char(0)', 'timestamp(7)', 'timestamp with time', 'text[', 'text[]]', 'varchar(3) collate c', 'serial', '"char"', 'name', 'regclass', 'text\n',
])('%j is no type that a column is given', (bad) => {
  expect(isTypeName(bad)).toBe(false)
})
