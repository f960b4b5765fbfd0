/**
 * One table of a TOML file, set or taken out as a text edit of whole lines. What is written in another form than
 * a table of its own (an inline table, dotted keys) is left alone, with a message.
 */

import { parse, stringify } from 'smol-toml'
import { ClientFileError } from './file-error.ts'

type Path = readonly [string, ...string[]]
type Table = Readonly<Record<string, unknown>>

/** @throws ClientFileError where the text is not TOML 1.0. */
export function tomlValue(text: string): Table {
  try {
    return parse(text)
  } catch (error) {
    if (error instanceof RangeError) throw new ClientFileError('it is nested too deeply to be read')
    throw new ClientFileError(`it is not valid TOML${atLine(error)}`)
  }
}

const atLine = (error: unknown): string => {
  const { line } = error as { line?: unknown }
  return typeof line === 'number' ? `: line ${line}` : ''
}

/** Adds the table at the end, or writes it anew where it stands. */
export function setToml(text: string, path: Path, value: Table): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  const lines = stringify(path.reduceRight<Table>((inner, key) => ({ [key]: inner }), value)).trimEnd().split('\n').filter((line) => line !== '')
  const body = lines.join(eol)
  const place = placeOf(text, path)
  if (place) return text.slice(0, place.start) + body + text.slice(place.end)
  refuseOtherForm(text, path)
  const isOpen = text !== '' && !text.endsWith('\n')
  const gap = text.trim() === '' ? '' : (isOpen ? eol : '') + eol
  return text + gap + body + (isOpen ? '' : eol)
}

/** Takes the table out, with the tables below it and the empty line before it. */
export function dropToml(text: string, path: Path): string {
  const place = placeOf(text, path)
  if (!place) {
    refuseOtherForm(text, path)
    return text
  }
  const before = text.slice(0, place.start)
  const after = text.slice(place.end)
  if (after.trim() !== '') return before + after.replace(/^\r?\n(?:\r?\n)?/, '')
  const kept = before.replace(/\r?\n$/, '')
  // A file that ended without a line break still does.
  return after === '' ? kept.replace(/\r?\n$/, '') : kept
}

function refuseOtherForm(text: string, path: Path): void {
  let at: unknown = tomlValue(text)
  for (const [depth, key] of path.entries()) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return
    at = (at as Table)[key]
    if (depth === path.length - 2 && !isOpenTable(text, path.slice(0, -1))) throw new ClientFileError(`${path[0]} is written as an inline table, which cannot be added to; write it as tables first`)
  }
  throw new ClientFileError('the entry is written in a form that is not edited: as an inline table or with dotted keys')
}

/** Whether another header may add to this table: it stands as headers, or as dotted headers of its tables. */
function isOpenTable(text: string, path: readonly string[]): boolean {
  try {
    parse(`${text}\n[${[...path, 'arrowhead-probe-0'].map((key) => JSON.stringify(key)).join('.')}]\n`)
    return true
  } catch {
    return false
  }
}

interface Place {
  readonly start: number
  readonly end: number
}

/** From the table's header to the last line that says anything before the next header of another table. */
function placeOf(text: string, path: Path): Place | undefined {
  let start: number | undefined
  let end = 0
  for (const { from, to, header, isBlank } of linesOf(text)) {
    const isOurs = header && path.every((key, depth) => header[depth] === key)
    if (start === undefined && isOurs) start = from
    else if (start !== undefined && header && !isOurs) return { start, end }
    if (start !== undefined && !isBlank) end = to
  }
  return start === undefined ? undefined : { start, end }
}

interface Line extends Readonly<Record<'from' | 'to', number>> {
  /** The keys of a table header. */
  readonly header: readonly string[] | undefined
  /** Empty, or a comment alone: it may belong to what follows. */
  readonly isBlank: boolean
}

/** The lines without their ends. A line inside a value of several lines is none that starts a table. */
function* linesOf(text: string): Generator<Line> {
  let inside: Inside = { quote: '', depth: 0 }
  let from = 0
  while (from < text.length) {
    const next = text.indexOf('\n', from)
    const line = text.slice(from, next < 0 ? text.length : next).replace(/\r$/, '')
    const isFirst = inside.quote === '' && inside.depth === 0
    const header = isFirst ? headerOf(line) : undefined
    const isBlank = isFirst && /^\s*(#.*)?$/.test(line)
    if (!header) inside = after(line, inside)
    yield { from, to: from + line.length, header, isBlank }
    from = next < 0 ? text.length : next + 1
  }
}

interface Inside {
  /** The three quotes of a string that goes on in the next line. */
  readonly quote: string
  /** Open brackets and braces. */
  readonly depth: number
}

const TOKEN = /"""|'''|"(?:[^"\\]|\\.)*"|'[^']*'|#.*|[[\]{}]/g
const CLOSE = { '"""': /(?:[^"\\]|\\.|"(?!""))*"{3,5}/y, "'''": /(?:[^']|'(?!''))*'{3,5}/y }

/** What a line leaves open. */
function after(line: string, { quote, depth }: Inside): Inside {
  let at = 0
  let open = quote
  let level = depth
  while (at < line.length) {
    if (open === '"""' || open === "'''") {
      const close = CLOSE[open]
      close.lastIndex = at
      if (!close.test(line)) return { quote: open, depth: level }
      at = close.lastIndex
      open = ''
      continue
    }
    TOKEN.lastIndex = at
    const token = TOKEN.exec(line)?.[0]
    if (token === undefined) break
    at = TOKEN.lastIndex
    if (token === '"""' || token === "'''") open = token
    else if (token === '[' || token === '{') level += 1
    else if (token === ']' || token === '}') level -= 1
  }
  return { quote: open, depth: level }
}

function headerOf(line: string): readonly string[] | undefined {
  if (!/^\s*\[/.test(line)) return undefined
  try {
    const keys: string[] = []
    let at: unknown = parse(line)
    while (typeof at === 'object' && at !== null) {
      const [entry] = Object.entries(Array.isArray(at) ? (at[0] as Table) : at)
      if (!entry) break
      keys.push(entry[0])
      at = entry[1]
    }
    return keys
  } catch {
    return undefined
  }
}
