/** Source text without its comments, its strings put aside: what reads imports then meets neither by mistake. */

export interface Lexed {
  /** Every string stands as `\u0001N\u0001`, N its place in `strings`; line ends are kept. */
  readonly code: string
  readonly strings: readonly string[]
}

export interface Style {
  /** What begins a comment to the end of the line. */
  readonly line: readonly string[]
  /** Whether comments may stand between slash-stars. */
  readonly block: boolean
  /** The longest first; a string in a back quote may go over lines. */
  readonly quotes: readonly string[]
  /** Whether a quote means something else where a name or a life time follows it. */
  readonly charQuote?: boolean
}

export const SLASHES: Style = { line: ['//'], block: true, quotes: ['"', "'", '`'] }
export const HASHES: Style = { line: ['#'], block: false, quotes: ['"""', "'''", '"', "'"] }

/** One pass, whatever the text holds: what is not closed goes to the end of its line or text. */
export function lex(text: string, { line, block, quotes, charQuote = false }: Style): Lexed {
  const strings: string[] = []
  let [code, from, at] = ['', 0, 0]
  const starts = expression([...line, ...(block ? ['/*'] : []), ...quotes].map(escaped).join('|'))
  for (;;) {
    starts.lastIndex = at
    const found = starts.exec(text)
    if (found === null) return { code: code + text.slice(from), strings }
    const [mark] = found
    code += text.slice(from, found.index)
    if (line.includes(mark)) at = endOf(text, '\n', found.index)
    else if (mark === '/*') {
      at = Math.min(text.length, endOf(text, '*/', found.index + 2) + 2)
      code += text.slice(found.index, at).replace(/[^\n]+/g, ' ')
    } else if (charQuote && mark === "'" && !/^'(?:\\.|[^\\])'/s.test(text.slice(found.index, found.index + 4))) {
      code += mark
      at = found.index + 1
    } else {
      const end = stringEnd(text, mark, found.index + mark.length)
      code += `\u0001${strings.length}\u0001`
      if (mayBreak(mark)) code += '\n'.repeat(countLines(text, found.index, end))
      strings.push(text.slice(found.index + mark.length, end))
      at = text.startsWith(mark, end) ? end + mark.length : end
    }
    from = at
  }
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')

function endOf(text: string, mark: string, from: number): number {
  const end = text.indexOf(mark, from)
  return end < 0 ? text.length : end
}

function countLines(text: string, from: number, to: number): number {
  let lines = 0
  for (let at = text.indexOf('\n', from); at >= 0 && at < to; at = text.indexOf('\n', at + 1)) lines += 1
  return lines
}

/** Compiled once: a file may hold very many strings. */
const compiled = new Map<string, RegExp>()

function expression(source: string): RegExp {
  const known = compiled.get(source)
  if (known) return known
  const made = new RegExp(source, 'g')
  compiled.set(source, made)
  return made
}

/** A string of one quote ends with its line, unless the quote is a back quote. */
const mayBreak = (quote: string): boolean => quote.length > 1 || quote === '`'

function stringEnd(text: string, quote: string, from: number): number {
  const stops = expression(`\\\\|${escaped(quote)}${mayBreak(quote) ? '' : '|\\n'}`)
  for (let at = from; ; ) {
    stops.lastIndex = at
    const found = stops.exec(text)
    if (found === null) return text.length
    if (found[0] !== '\\') return found.index
    at = found.index + 2
  }
}

/** Strings, each with the code right before it. */
export function* stringsOf({ code, strings }: Lexed): Generator<{ readonly text: string; readonly before: string }> {
  for (const { index, 1: place } of code.matchAll(/\u0001(\d+)\u0001/g)) {
    yield { text: strings[Number(place)] ?? '', before: code.slice(Math.max(0, index - BEFORE_CHARS), index) }
  }
}

const BEFORE_CHARS = 60
