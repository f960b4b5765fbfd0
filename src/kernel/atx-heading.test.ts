import { expect, it } from 'vitest'
import { atxHeading } from './atx-heading.ts'

/** Work that grows with the square of these texts takes several times as long. */
const SOON_MS = 5_000

it.each([
  ['# One', 1, 'One'],
  ['   ###### Six', 6, 'Six'],
  ['#', 1, ''],
  ['## ', 2, ''],
  ['# One ##  ', 1, 'One'],
  ['# One#', 1, 'One#'],
  ['# #', 1, ''],
  ['#\tOne # two ###', 1, 'One # two'],
])('reads %j', (line, level, title) => {
  expect(atxHeading(line)).toEqual({ level, title })
})

it.each(['#One', '####### seven', '    # code', 'a # b', ''])('takes %j for no heading', (line) => {
  expect(atxHeading(line)).toBeUndefined()
})

it('reads a line of very many blanks once', () => {
  const blanks = ' '.repeat(20_000)
  expect(atxHeading(`#${blanks}\u2028${blanks}x`)).toBeUndefined()
  expect(atxHeading(`#${blanks}${'# '.repeat(10_000)}x`)?.title).toHaveLength(20_001)
}, SOON_MS)
