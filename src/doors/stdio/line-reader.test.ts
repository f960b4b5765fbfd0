import { expect, it } from 'vitest'
import { createLineReader } from './line-reader.ts'

/** Work that grows with the square of these texts takes several times as long. */
const SOON_MS = 5_000

const linesOf = (text: string): readonly string[] => {
  const lines: string[] = []
  const reader = createLineReader(1_000_000, { onLine: (line) => void lines.push(line), onTooLong: () => void lines.push('too long'), onNotText: () => void lines.push('not text') })
  reader.push(Buffer.from(text))
  reader.end()
  return lines
}

it('gives lines without the blanks around them, and none that are blank', () => {
  expect(linesOf('{"a": 1}\r\n \t\r\n\t {} \nlast ')).toEqual(['{"a": 1}', '{}', 'last'])
})

it('reads a line with very many blanks inside once', () => {
  const line = `{"text":"${' '.repeat(200_000)}"}`
  expect(linesOf(`${line}\n`)).toEqual([line])
}, SOON_MS)
