import { expect, it } from 'vitest'
import { headingsOf } from './markdown.ts'

/** Work that grows with the square of these texts takes several times as long. */
const SOON_MS = 5_000

it('gives each heading what stands under it, up to the next one of its level or above', () => {
  const rows = headingsOf('# A\n\n## B\ntext\n### C\n## D\n# E\nend\n').map(({ name, container, startLine, endLine }) => [name, container, startLine, endLine])
  expect(rows).toEqual([['A', '', 1, 6], ['B', 'A', 3, 5], ['C', 'A.B', 5, 5], ['D', 'A', 6, 6], ['E', '', 7, 8]])
})

it('reads a text of very many headings once', () => {
  expect(headingsOf('# a\n'.repeat(60_000))).toHaveLength(60_000)
}, SOON_MS)
