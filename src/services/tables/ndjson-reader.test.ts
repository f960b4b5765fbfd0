import { describe, expect, it } from 'vitest'
import { ColumnTypes } from './column-types.ts'
import { createNdjsonReader } from './ndjson-reader.ts'

function read(text: string, step = 1_000) {
  const reader = createNdjsonReader()
  const types = new ColumnTypes()
  const rows = []
  for (let at = 0; at < text.length; at += step) rows.push(...reader.push(text.slice(at, at + step)))
  rows.push(...reader.end())
  for (const row of rows) types.note(row.cells, row.types)
  return { rows: rows.map(({ line, cells }) => [line, ...cells]), columns: reader.columns.map((name, at) => `${name} ${types.of(at)}`) }
}

describe('NDJSON', () => {
  it('keeps every digit, at any depth, and takes a text for a text', () => {
    const text = '{"id": 9007199254740993, "zip": "01234", "n": 1.50, "deep": {"a": [12345678901234567890, "7", 1.10]}}\n\n{"id": 2, "late": true, "day": "2024-02-29"}'
    for (const step of [1, 1_000]) {
      expect(read(text, step)).toEqual({
        columns: ['id bigint', 'zip text', 'n numeric', 'deep jsonb', 'late boolean', 'day date'],
        rows: [[1, '9007199254740993', '01234', '1.50', '{"a":[12345678901234567890,"7",1.10]}'], [3, '2', null, null, null, 'true', '2024-02-29']],
      })
    }
  })

  it('takes a backslash before u0000 for what it is, and a colon in a text for no key', () => {
    expect(read('{"p":"C:\\\\u0000dir","n":{"q":["\\\\u0000","\\"a\\":"],"__proto__":1}}').rows).toEqual([[1, 'C:\\u0000dir', '{"q":["\\\\u0000","\\"a\\":"],"__proto__":1}']])
  })

  it('reads a long text, and needs no stack for it', () => {
    const text = 'x\\"'.repeat(1_000_000)
    expect(read(`{"a":"${text}"}`, 100_000).rows[0]?.[1]).toHaveLength(2_000_000)
  })

  it.each([
    ['a line that is no JSON', '{"a":1}\n{"a":01}\n', /no JSON/, 2],
    ['a line that is no object', '{"a":1}\n[1]\n', /one JSON object/, 2],
    ['a NUL, however it is written', '{"a":"x\\u0000"}', /NUL/, 1],
    ['a NUL inside what is nested', '{"a":{"b":["x\\u0000"]}}', /NUL/, 1],
    ['a NUL in a key', '{"a":{"\\u0000":1}}', /NUL/, 1],
    ['a key that stands twice', '{"a":1}\n{"a":1,"b":2,"a":3}\n', /same key twice/, 2],
    ['a key that stands twice, written in two ways and inside what is nested', '{"x":[{"a":1,"\\u0061" : 2}]}', /same key twice/, 1],
    ['a row that is too long', `{"a":1}\n{"a":"${'x'.repeat(8_000_001)}`, /8000000 characters/, 2],
    ['a file without a column', '\n\n', /names no column/, undefined],
  ])('refuses %s', (_what, text, message, line) => {
    expect(() => read(text)).toThrow(expect.objectContaining({ message: expect.stringMatching(message), line }))
  })
})
