/** Headings of a Markdown text (CommonMark §4.2, §4.3), each with what stands under it. Fences hide what is in them. */

import { atxHeading } from '../../kernel/atx-heading.ts'
import type { Declaration } from '../../kernel/ports/symbols.ts'

interface Heading {
  readonly name: string
  readonly level: number
  readonly row: number
}

const FENCE = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/
const UNDERLINE = /^ {0,3}(=+|-+)[ \t]*$/
/** What an underline cannot make a heading of: quotes, lists, other headings, code. */
const NO_PARAGRAPH = /^(?: {0,3}(?:>|[-+*][ \t]|\d{1,9}[.)][ \t]|#{1,6}[ \t]|\|)| {4}|\t|[ \t]*$)/
const LINE_CHARS = 1_000
const NAME_CHARS = 200

export function headingsOf(text: string): readonly Declaration[] {
  const lines = text.split('\n').map((line) => line.replace(/\r$/, ''))
  const headings = headingsIn(lines)
  const ends = endsOf(headings, text.endsWith('\n') ? lines.length - 1 : lines.length)
  const above: Heading[] = []
  return headings.map((heading, index) => {
    while ((above.at(-1)?.level ?? 0) >= heading.level) above.pop()
    const container = above.map(({ name }) => name).join('.').slice(0, 300)
    above.push(heading)
    const startLine = heading.row + 1
    return { name: heading.name, kind: 'heading', container, signature: `${'#'.repeat(heading.level)} ${heading.name}`, doc: '', startLine, endLine: Math.max(startLine, ends[index] ?? 0), nameLine: startLine }
  })
}

/** The row that ends what stands under each heading: of the next one of its level or above, or `last`. */
function endsOf(headings: readonly Heading[], last: number): readonly number[] {
  const ends = headings.map(() => last)
  const open: number[] = []
  for (const [index, { level, row }] of headings.entries()) {
    for (let inner = open.at(-1); inner !== undefined && (headings[inner]?.level ?? 0) >= level; inner = open.at(-1)) {
      ends[inner] = row
      open.pop()
    }
    open.push(index)
  }
  return ends
}

function headingsIn(lines: readonly string[]): readonly Heading[] {
  const headings: Heading[] = []
  let fence = ''
  for (const [row, whole] of lines.entries()) {
    const line = whole.slice(0, LINE_CHARS)
    const mark = FENCE.exec(line)?.[1]
    if (fence !== '') {
      if (mark?.startsWith(fence) && line.trim() === mark) fence = ''
      continue
    }
    if (mark !== undefined) {
      fence = mark
      continue
    }
    const atx = atxHeading(line)
    if (atx !== undefined) headings.push({ name: plain(atx.title), level: atx.level, row })
    else if (row > 0 && UNDERLINE.test(line)) {
      const above = lines[row - 1]?.slice(0, LINE_CHARS) ?? ''
      if (!NO_PARAGRAPH.test(above) && !FENCE.test(above) && headings.at(-1)?.row !== row - 1) headings.push({ name: plain(above), level: line.includes('=') ? 1 : 2, row: row - 1 })
    }
  }
  return headings
}

const plain = (title: string): string => title.trim().slice(0, NAME_CHARS)
