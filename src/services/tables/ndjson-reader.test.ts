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

  it.each([
    ['a line that is no JSON', '{"a":1}\n{"a":01}\n', /no JSON/, 2],
    ['a line that is no object', '{"a":1}\n[1]\n', /one JSON object/, 2],
    ['a NUL, however it is written', '{"a":"x\\u0000"}', /NUL/, 1],
    ['a file without a column', '\n\n', /names no column/, undefined],
  ])('refuses %s', (_what, text, message, line) => {
    expect(() => read(text)).toThrow(expect.objectContaining({ message: expect.stringMatching(message), line }))
  })
})
