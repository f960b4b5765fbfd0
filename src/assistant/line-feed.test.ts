import { expect, it } from 'vitest'
import { LineFeed } from './line-feed.ts'

/** Work that grows with the square of these texts takes several times as long. */
const SOON_MS = 5_000

const linesOf = (pieces: readonly string[]): readonly string[] => {
  const lines: string[] = []
  const feed = new LineFeed((line) => void lines.push(line))
  for (const piece of pieces) feed.push(piece)
  feed.end()
  return lines
}

it('gives whole lines with their ends as soon as the last of them ends', () => {
  expect(linesOf(['a', 'b\nc', '\n\nd\ne', '', 'f'])).toEqual(['ab\n', 'c\n\nd\n', 'ef'])
})

it('reads a line once that comes in very many pieces', () => {
  expect(linesOf(Array.from({ length: 300_000 }, () => 'ab'))[0]).toHaveLength(600_000)
}, SOON_MS)
