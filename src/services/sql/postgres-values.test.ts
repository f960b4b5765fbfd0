import { expect, it } from 'vitest'
import { cellReader } from './postgres-values.ts'

/** Work that grows with the square of these texts takes several times as long. */
const SOON_MS = 5_000

const read = cellReader(1009)

it.each([
  ['{}', []],
  ['{a,NULL,"b c","d\\"e"}', ['a', null, 'b c', 'd"e']],
  ['{"{","}"}', ['{', '}']],
  ['{{a},{b}}', '{{a},{b}}'],
  ['[0:1]={a,b}', '[0:1]={a,b}'],
])('reads the array %j', (text, cell) => {
  expect(read(text)).toEqual(cell)
})

it('leaves alone what is no array, however often it could be divided', () => {
  const text = `{${'a'.repeat(30)}}"}`
  expect(read(text)).toBe(text)
}, SOON_MS)

it.each(['{"a":1e400}', '[1e-400]', '{"a":1E+999}'])('keeps the JSON %s as its text, because a double cannot hold its number', (text) => {
  expect(cellReader(114)(text)).toBe(text)
})

it.each(['{"a":1e5}', '[1.5E-10]', '{"id":"550e8400-e29b"}'])('reads the JSON %s as the value that it is', (text) => {
  expect(cellReader(114)(text)).toEqual(JSON.parse(text))
})
