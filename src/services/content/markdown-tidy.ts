/** Brings text nodes into the form that writing and parsing keep: joined, without blanks that Markdown drops. */

import type { RootContent } from 'mdast'

const ONE_LINE: ReadonlySet<string> = new Set(['heading', 'tableCell'])
/** Parents whose first and last blanks a parser drops. */
const TRIMMED: ReadonlySet<string> = new Set(['paragraph', 'heading', 'tableCell'])

/** @param parent type of the node that the children belong to. */
export function tidyText(children: readonly RootContent[], parent: string): RootContent[] {
  const out: RootContent[] = []
  for (const child of children) {
    const last = out.at(-1)
    if (child.type === 'text' && last?.type === 'text') last.value += child.value
    // Two code spans side by side would be one.
    else if (child.type === 'inlineCode' && last?.type === 'inlineCode') out.push({ type: 'text', value: ' ' }, child)
    else if (child.type === 'break' && ONE_LINE.has(parent)) out.push({ type: 'text', value: ' ' })
    else out.push(child)
  }
  for (const node of out) if (node.type === 'text') node.value = withoutLostBlanks(node.value, parent)
  return TRIMMED.has(parent) ? trimmed(out) : out.filter(isNotEmpty)
}

// Each run of blanks is entered at its first one only: otherwise a long run costs the square of its length.
const LINE_ENDS_AROUND = /(?<![\t\r\n ])[\t\r\n ]*[\r\n][\t\r\n ]*/g
const LINE_ENDS = /(?<![\t ])[\t ]*(?:\r?\n[\t\r ]*)+/g
const BLANKS: ReadonlySet<string | undefined> = new Set(['\t', '\r', '\n', ' '])

const withoutLostBlanks = (value: string, parent: string): string =>
  ONE_LINE.has(parent) ? value.replace(LINE_ENDS_AROUND, ' ') : value.replace(LINE_ENDS, '\n')

function withoutLastBlanks(value: string): string {
  let end = value.length
  while (BLANKS.has(value[end - 1])) end -= 1
  return value.slice(0, end)
}

const isNotEmpty = (node: RootContent): boolean => node.type !== 'text' || node.value !== ''

/** No blanks and no line breaks at either end, nor blanks beside a break. */
function trimmed(children: RootContent[]): RootContent[] {
  const kept = children.filter(isNotEmpty)
  kept.forEach((node, index) => {
    if (node.type !== 'text') return
    const [before, after] = [kept[index - 1], kept[index + 1]]
    if (before === undefined || before.type === 'break') node.value = node.value.replace(/^[\t\r\n ]+/, '')
    if (after === undefined || after.type === 'break') node.value = withoutLastBlanks(node.value)
  })
  const solid = kept.filter(isNotEmpty)
  while (solid[0]?.type === 'break') solid.shift()
  while (solid.at(-1)?.type === 'break') solid.pop()
  return solid
}
