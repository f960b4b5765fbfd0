/** What of a document a model of sentences was trained on: its words, without the marks and addresses between them. */

/** Code between fences, targets of links and the marks of Markdown, which say nothing and dilute what is said. */
const FENCE = /^ {0,3}(`{3,}|~{3,})/
const TARGET = /\]\((?:[^()\s]{0,500})\)/g
const MARKS = /[`*_#|>[\]~]+/g
const SPACES = /\s+/g

/**
 * The text on one line, without fenced code; as it is where nothing else would be left of it. A part that was cut out
 * of a document may begin inside of code: what stands before its first fence is left out where only that pairs the fences.
 */
export function proseOf(text: string): string {
  const lines = text.split('\n')
  const whole = proseLines(lines)
  const first = whole.isPaired ? -1 : firstClosing(lines)
  return (first >= 0 && cleaned(proseLines(lines.slice(first + 1)).prose)) || cleaned(whole.prose) || cleaned(text) || text
}

const cleaned = (text: string): string => text.replace(MARKS, ' ').replace(SPACES, ' ').trim()

interface Fence {
  /** Three marks or more, all the same. */
  readonly marks: string
  /** Words behind the marks, which only a fence that opens has. */
  readonly hasWords: boolean
}

/** CommonMark §4.5: words behind backticks have none themselves; otherwise they are code within a line. */
function fenceOf(line: string): Fence | undefined {
  const [whole, marks] = FENCE.exec(line) ?? []
  if (whole === undefined || marks === undefined) return undefined
  const words = line.slice(whole.length)
  return marks.startsWith('`') && words.includes('`') ? undefined : { marks, hasWords: words.trim() !== '' }
}

/** What stands outside of fences, and whether each fence that opens has one that closes before another can open. */
function proseLines(lines: readonly string[]): { readonly prose: string; readonly isPaired: boolean } {
  const prose: string[] = []
  let open = ''
  let isPaired = true
  for (const line of lines) {
    const fence = fenceOf(line)
    if (open === '' && fence === undefined) prose.push(line.replace(TARGET, ']'))
    else if (open === '') open = fence?.marks ?? ''
    else if (fence?.marks.startsWith(open)) {
      isPaired &&= !fence.hasWords
      if (!fence.hasWords) open = ''
    }
  }
  return { prose: prose.join(' '), isPaired: isPaired && open === '' }
}

/** The place of the first fence where it may end code that began before the text; -1 where it can only open. */
function firstClosing(lines: readonly string[]): number {
  const first = lines.findIndex((line) => fenceOf(line) !== undefined)
  const isBlank = (at: number): boolean => (lines[at] ?? '').trim() === ''
  const opens = first <= 0 || fenceOf(lines[first] ?? '')?.hasWords === true || (isBlank(first - 1) && !isBlank(first + 1))
  return opens ? -1 : first
}
