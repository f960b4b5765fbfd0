/** What of a document a model of sentences was trained on: its words, without the marks and addresses between them. */

/** Code between fences, targets of links and the marks of Markdown, which say nothing and dilute what is said. */
const FENCED = /^ {0,3}(?:```|~~~)/
const TARGET = /\]\((?:[^()\s]{0,500})\)/g
const MARKS = /[`*_#|>[\]~]+/g
const SPACES = /\s+/g

/** The text on one line, without fenced code; as it is where nothing else would be left of it. */
export function proseOf(text: string): string {
  let isCode = false
  const lines: string[] = []
  for (const line of text.split('\n')) {
    if (FENCED.test(line)) isCode = !isCode
    else if (!isCode) lines.push(line.replace(TARGET, ']'))
  }
  return cleaned(lines.join(' ')) || cleaned(text) || text
}

const cleaned = (text: string): string => text.replace(MARKS, ' ').replace(SPACES, ' ').trim()
