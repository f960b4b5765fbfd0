/** Where a document of each kind may be cut: Markdown at sections, code at declarations, JSON at elements, text at paragraphs. */

import { atxHeading } from '../../../kernel/atx-heading.ts'
import type { Atom, Piece } from './pack.ts'

const FENCE = /^ {0,3}(`{3,}|~{3,})/
const UNDERLINE = /^ {0,3}(=+|-+)[ \t]*$/
const MAX_HEADING_CHARS = 120

/** Sections by heading (CommonMark §4.2, §4.3), not inside fenced code; paragraphs within them. */
export function markdownPieces(atoms: readonly Atom[]): readonly Piece[] {
  const pieces: Piece[] = []
  const trail: { level: number; title: string }[] = []
  let fence = ''
  let from = 0
  let above: readonly string[] = []
  let opens = false
  /** Whether nothing but its heading stands in the piece so far: a heading stays with what follows it. */
  let bare = false
  const cut = (to: number): void => {
    if (to > from) pieces.push({ from, to, trail: above, opens })
    from = to
    opens = false
  }
  for (const [at, { text }] of atoms.entries()) {
    const mark = FENCE.exec(text)?.[1]
    if (fence !== '') {
      if (mark?.startsWith(fence)) fence = ''
      continue
    }
    if (mark !== undefined) {
      fence = mark
      continue
    }
    const heading = headingAt(atoms, at)
    if (heading) {
      cut(at)
      while ((trail.at(-1)?.level ?? 0) >= heading.level) trail.pop()
      above = trail.map(({ title }) => title)
      trail.push(heading)
      opens = true
      bare = true
    } else if (text.trim() !== '') bare &&= at === from + 1 && UNDERLINE.test(text)
    else if (!bare) cut(at + 1)
  }
  cut(atoms.length)
  return withTrails(pieces, atoms)
}

/** A paragraph that is cut off from its heading has the heading itself above it too. */
function withTrails(pieces: readonly Piece[], atoms: readonly Atom[]): readonly Piece[] {
  let title = ''
  return pieces.map((piece) => {
    if (piece.opens === true) title = headingAt(atoms, piece.from)?.title ?? ''
    return piece.opens === true || title === '' ? piece : { ...piece, trail: [...(piece.trail ?? []), title] }
  })
}

function headingAt(atoms: readonly Atom[], at: number): { level: number; title: string } | undefined {
  const text = atoms[at]?.text ?? ''
  const atx = atxHeading(text)
  if (atx) return { level: atx.level, title: atx.title.slice(0, MAX_HEADING_CHARS) }
  const under = UNDERLINE.exec(atoms[at + 1]?.text ?? '')?.[1]
  const plain = text.trim() !== '' && !/^(?: {4}|\t| {0,3}(?:[-+*>|]|\d+[.)]))/.test(text)
  const before = atoms[at - 1]?.text.trim() ?? ''
  return under !== undefined && plain && before === '' ? { level: under.startsWith('=') ? 1 : 2, title: text.trim().slice(0, MAX_HEADING_CHARS) } : undefined
}

/** Blocks that start at the margin after a blank line: declarations, in most languages. */
export function codePieces(atoms: readonly Atom[]): readonly Piece[] {
  const starts = atoms.flatMap(({ text }, at) => (at > 0 && /^[^\s})\]]/.test(text) && atoms[at - 1]?.text.trim() === '' ? [at] : []))
  return between([0, ...starts], atoms.length).map((piece) => ({ ...piece, opens: false }))
}

export function paragraphPieces(atoms: readonly Atom[]): readonly Piece[] {
  const starts = atoms.flatMap(({ text }, at) => (at > 0 && text.trim() !== '' && atoms[at - 1]?.text.trim() === '' ? [at] : []))
  return between([0, ...starts], atoms.length)
}

const between = (starts: readonly number[], end: number): Piece[] => {
  const unique = [...new Set(starts)]
  return unique.map((from, index) => ({ from, to: unique[index + 1] ?? end })).filter(({ from, to }) => to > from)
}
