import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createCsvReader } from './csv-reader.ts'
import { LoadError } from './load-error.ts'

/** @param step characters handed over at once. */
function read(text: string, { delimiter = ',', step = text.length || 1 } = {}) {
  const reader = createCsvReader(delimiter)
  const rows = []
  for (let at = 0; at < text.length; at += step) rows.push(...reader.push(text.slice(at, at + step)))
  rows.push(...reader.end())
  return { columns: reader.columns, rows: rows.map(({ line, cells }) => [line, ...cells]) }
}
function wrong(text: string): readonly [string, number | undefined] {
  try {
    read(text)
  } catch (error) {
    if (error instanceof LoadError) return [error.message, error.line]
    throw error
  }
  return ['nothing', 0]
}

describe('CSV', () => {
  it('tells an empty text from nothing, and a quote from what it encloses', () => {
    expect(read('a,b,c\n1,,""\n"x ""y""","p,q","two\nlines"\n').rows).toEqual([[2, '1', null, ''], [3, 'x "y"', 'p,q', 'two\nlines']])
  })

  it.each(['\n', '\r\n', '\r'])('ends a line with %j, and knows on which line each row begins', (end) => {
    expect(read(['a,b', '1,2', '', '3,4'].join(end)).rows).toEqual([[2, '1', '2'], [4, '3', '4']])
  })

  it('takes an empty line for a row only where a row is one value', () => {
    expect(read('a\n1\n\n2\n').rows).toEqual([[2, '1'], [3, null], [4, '2']])
  })

  it('drops a byte order mark with the decoder and keeps every blank', () => {
    expect(read('a,b\n x , \t\n').rows).toEqual([[2, ' x ', ' \t']])
  })

  it.each([
    ['a row that is too short', 'a,b\n1,2\n3\n', /^1 fields where the header names 2/, 3],
    ['a row that is too long', 'a,b\n1,2,3\n', /^3 fields/, 2],
    ['a quote that is never closed, at its beginning', 'a,b\n1,"x\ny\n', /never closed/, 2],
    ['a quote inside a plain field', 'a\n5" pipe\n', /a quote stands inside/, 2],
    ['something after a closing quote', 'a,b\n"x"y,1\n', /between a closing quote/, 2],
    ['a NUL', 'a\nx\0\n', /no NUL/, 2],
    ['a file without a header', '', /is empty/, undefined],
    ['a header that another sign divides', 'a;b\n1;2\n', /";"/, 1],
  ])('refuses %s', (_what, text, message, line) => {
    expect(wrong(text)).toEqual([expect.stringMatching(message), line])
  })

  it('refuses a value without end before it fills the memory', () => {
    const reader = createCsvReader(',')
    reader.push('a\n"')
    expect(() => {
      for (let at = 0; at < 20; at += 1) reader.push('x'.repeat(1_000_000))
    }).toThrow(/a quote may be missing/)
  })

  it('refuses a row that is too long as a whole, with its line', () => {
    const [reader, field] = [createCsvReader(','), `${'x'.repeat(1_000_000)},`]
    reader.push(`${'c,'.repeat(19)}c\n${field.repeat(7)}${','.repeat(12)}\n`)
    expect(() => {
      for (let at = 0; at < 20; at += 1) reader.push(field)
    }).toThrow(expect.objectContaining({ message: expect.stringMatching(/a row has more than 8000000/), line: 3 }))
  })

  it('reads a text of nothing but quotes once', () => {
    const reader = createCsvReader(',')
    // Searched again at each quote, these are more than 10^13 characters.
    const rows = reader.push(`a\n"${'""'.repeat(5_000_000)}"\n`)
    expect(rows[0]?.cells[0]?.length).toBe(5_000_000)
  })

  it('gives back every table that was written by the rules, however it is cut', () => {
    const cell = fc.option(fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', ' ', 'é', ';') }), { nil: null })
    const table = fc.integer({ min: 2, max: 4 }).chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 5 }))
    fc.assert(fc.property(table, fc.constantFrom(',', ';', '\t', '|'), fc.constantFrom('\n', '\r\n'), fc.integer({ min: 1, max: 7 }), (rows, delimiter, end, step) => {
      const width = rows[0]?.length ?? 0
      const text = [Array.from({ length: width }, (_, at) => `c${at}`), ...rows].map((cells) => cells.map((one) => (one === null ? '' : `"${one.replaceAll('"', '""')}"`)).join(delimiter)).join(end)
      // A row of nothing but NULLs is written with its delimiters, so it stays a row.
      expect(read(text + end, { delimiter, step }).rows.map(([, ...cells]) => cells)).toEqual(rows)
    }))
  })
})
