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
