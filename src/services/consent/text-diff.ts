/**
 * What would change in a text, by lines, for a person to look at (unified diff without a header). Common lines at
 * both ends are found first; what is between is compared as far as that stays cheap, and shown whole otherwise.
 */

const CONTEXT_LINES = 2
/** Comparisons of one line with another; beyond, all old lines are shown as gone and all new ones as added. */
const MAX_CELLS = 250_000

interface Line {
  readonly mark: ' ' | '-' | '+'
  readonly text: string
}

/** @returns lines that begin with a blank, `-` or `+`; `@@` where lines that stay were left out; empty for equal texts. */
export function textDiff(before: string, after: string): string {
  if (before === after) return ''
  const [old, young] = [linesOf(before), linesOf(after)]
  const head = commonHead(old, young)
  const tail = commonTail(old.slice(head), young.slice(head))
  const [gone, come] = [old.slice(head, old.length - tail), young.slice(head, young.length - tail)]
  const between = gone.length * come.length > MAX_CELLS ? apart(gone, come) : aligned(gone, come)
  const stays = (texts: readonly string[]): Line[] => texts.map((text) => ({ mark: ' ', text }))
  return shown([...stays(old.slice(0, head)), ...between, ...stays(old.slice(old.length - tail))])
}

/** A last line without an end is another line than one with it. */
const linesOf = (text: string): readonly string[] => (text === '' ? [] : text.split(/(?<=\n)/))

function commonHead(a: readonly string[], b: readonly string[]): number {
  let length = 0
  while (length < a.length && length < b.length && a[length] === b[length]) length += 1
  return length
}

function commonTail(a: readonly string[], b: readonly string[]): number {
  let length = 0
  while (length < a.length && length < b.length && a[a.length - 1 - length] === b[b.length - 1 - length]) length += 1
  return length
}

const apart = (gone: readonly string[], come: readonly string[]): Line[] => [
  ...gone.map((text): Line => ({ mark: '-', text })),
  ...come.map((text): Line => ({ mark: '+', text })),
]

/** Longest common subsequence (Wagner and Fischer), walked from the start. */
function aligned(gone: readonly string[], come: readonly string[]): Line[] {
  const width = come.length + 1
  const best = new Uint32Array((gone.length + 1) * width)
  const at = (row: number, column: number): number => best[row * width + column] ?? 0
  for (let row = gone.length - 1; row >= 0; row -= 1) {
    for (let column = come.length - 1; column >= 0; column -= 1) {
      best[row * width + column] = gone[row] === come[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1))
    }
  }
  const lines: Line[] = []
  let [row, column] = [0, 0]
  while (row < gone.length && column < come.length) {
    if (gone[row] === come[column]) {
      lines.push({ mark: ' ', text: gone[row] ?? '' })
      row += 1
      column += 1
    } else if (at(row + 1, column) >= at(row, column + 1)) lines.push({ mark: '-', text: gone[row++] ?? '' })
    else lines.push({ mark: '+', text: come[column++] ?? '' })
  }
  return [...lines, ...apart(gone.slice(row), come.slice(column))]
}

function shown(lines: readonly Line[]): string {
  const near = new Set<number>()
  for (const [index, { mark }] of lines.entries()) {
    if (mark !== ' ') for (let by = -CONTEXT_LINES; by <= CONTEXT_LINES; by += 1) near.add(index + by)
  }
  let [out, skipped] = ['', false]
  for (const [index, { mark, text }] of lines.entries()) {
    if (!near.has(index)) skipped = true
    else {
      out += `${skipped ? '@@\n' : ''}${mark}${text.endsWith('\n') ? text : `${text}\n`}`
      skipped = false
    }
  }
  return skipped ? `${out}@@\n` : out
}
