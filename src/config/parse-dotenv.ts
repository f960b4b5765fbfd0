/**
 * Reads the text of a `.env` file: comments, an `export` in front, `=` inside values, single quotes
 * (literal), double quotes (escapes), both over several lines. Nothing is expanded or executed.
 */

export interface DotenvEntry {
  readonly name: string
  readonly value: string
  /** Line of the name, from 1. */
  readonly line: number
}

export interface Dotenv {
  /** In file order; a name may occur more than once. */
  readonly entries: readonly DotenvEntry[]
  /** Lines that could not be read, named by number, never quoted. */
  readonly problems: readonly { readonly line: number; readonly says: string }[]
}

const NAME = /^[ \t]*(?:export[ \t]+)?([A-Za-z_][A-Za-z0-9_.-]*)[ \t]*=/
const BLANK_OR_COMMENT = /^[ \t]*(?:#.*)?$/
const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['"', '"'],
  ['\\', '\\'],
  ['$', '$'],
])

const unescaped = (text: string): string =>
  text.replaceAll(/\\([\s\S])/g, (whole, letter: string) => ESCAPES.get(letter) ?? whole)

const lineEnd = (text: string, from: number): number => {
  const end = text.indexOf('\n', from)
  return end === -1 ? text.length : end
}

/** Index of the quote that closes the one at `open`, or -1. A backslash protects what follows it in double quotes. */
function closingQuote(text: string, open: number): number {
  if (text[open] === "'") return text.indexOf("'", open + 1)
  for (let at = open + 1; at < text.length; at += 1) {
    if (text[at] === '"') return at
    if (text[at] === '\\') at += 1
  }
  return -1
}

interface Read {
  readonly name?: string
  readonly value?: string
  readonly problem?: string
  /** Index of the line break after what was read. */
  readonly end: number
}

function readQuoted(text: string, open: number): Read {
  const close = closingQuote(text, open)
  if (close === -1) return { problem: 'opens a quote that is never closed', end: lineEnd(text, open) }
  const end = lineEnd(text, close)
  if (!BLANK_OR_COMMENT.test(text.slice(close + 1, end))) return { problem: 'has text after the closing quote', end }
  const inside = text.slice(open + 1, close)
  return { value: text[open] === '"' ? unescaped(inside) : inside, end }
}

function readLine(text: string, start: number): Read {
  const end = lineEnd(text, start)
  const whole = text.slice(start, end)
  if (BLANK_OR_COMMENT.test(whole)) return { end }
  const [prefix, name] = NAME.exec(whole) ?? []
  if (prefix === undefined || name === undefined) return { problem: 'is not NAME=value, a comment or blank', end }
  const rest = whole.slice(prefix.length)
  const open = end - rest.trimStart().length
  if (text[open] === '"' || text[open] === "'") return { name, ...readQuoted(text, open) }
  return { name, value: rest.replace(/[ \t]#.*$/, '').trim(), end }
}

/** Never throws; what cannot be read becomes a problem and reading goes on at the next line. */
export function parseDotenv(source: string): Dotenv {
  const text = source.replace(/^\uFEFF/, '').replaceAll(/\r\n?/g, '\n')
  const entries: DotenvEntry[] = []
  const problems: { line: number; says: string }[] = []
  let line = 1
  for (let at = 0; at < text.length; ) {
    const { name, value, problem, end } = readLine(text, at)
    if (problem !== undefined) problems.push({ line, says: problem })
    else if (name !== undefined && value !== undefined) entries.push({ name, value, line })
    line += text.slice(at, end).split('\n').length
    at = end + 1
  }
  return { entries, problems }
}
