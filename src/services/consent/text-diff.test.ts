import fc from 'fast-check'
import { expect, it } from 'vitest'
import { textDiff } from './text-diff.ts'

it.each([
  ['a\nb\nc\n', 'a\nb\nc\n', ''],
  ['', 'a\n', '+a\n'],
  ['a\n', '', '-a\n'],
  ['a\nb\nc\nd\ne\nf\ng\n', 'a\nb\nc\nX\ne\nf\ng\n', '@@\n b\n c\n-d\n+X\n e\n f\n@@\n'],
  ['a\n', 'a', '-a\n+a\n'],
])('shows the way from %j to %j', (before, after, diff) => {
  expect(textDiff(before, after)).toBe(diff)
})

const lines = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 20 }).map((all) => all.map((line) => `${line}\n`).join(''))

it('shows every line that goes and every line that comes, as often as it does', () => {
  const count = (text: string, line: string): number => text.split('\n').filter((one) => one === line).length
  fc.assert(fc.property(lines, lines, (before, after) => {
    const diff = textDiff(before, after)
    for (const line of ['a', 'b', 'c', 'd']) {
      expect(count(diff, `+${line}`) - count(diff, `-${line}`)).toBe(count(after, line) - count(before, line))
    }
  }))
})

it('shows large texts that have nothing in common without comparing every pair', () => {
  const [before, after] = ['x', 'y'].map((letter) => Array.from({ length: 20_000 }, (_one, index) => `${letter}${index}\n`).join(''))
  const diff = textDiff(before ?? '', after ?? '')
  expect(diff.split('\n').filter((line) => line.startsWith('-'))).toHaveLength(20_000)
  expect(diff.split('\n').filter((line) => line.startsWith('+'))).toHaveLength(20_000)
})
