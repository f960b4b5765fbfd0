/**
 * What a Markdown text would cost its parser, before the parser sees it. One pass over the lines, no tree: an
 * upper bound of the nesting, and an estimate of the steps, since several constructs take more than linear time.
 */

export interface MarkdownCost {
  /** Levels of quotations and lists, counted generously. */
  readonly depth: number
  /** Rough steps of reading and writing the text once; some 100 million a second. */
  readonly steps: number
}

const MARKER = /[ \t]*(?:>|[-+*](?=[ \t]|$)|\d{1,9}[.)](?=[ \t]|$))/y
const INDENT = /[ \t]*/y
const RULE = /^[ \t]{0,3}([-*_])[ \t]*(?:\1[ \t]*){2,}$/
const UNDERLINE = /^[ \t>]*(?:=+|-+)[ \t]*$/
const INLINE = /[!&:<[\\\]`|]/g
const EMPHASIS = /[*_~]/g
/** Lines that always begin a new text, wherever they stand: headings and items at the margin. */
const FRESH = /^ {0,3}(?:#{1,6}[ \t]|[-+*][ \t]+[^ \t]|1[.)][ \t]+[^ \t])/
/** A row that its own line ends, whatever came before; an angle bracket could end a block of HTML instead. */
const ROW = /^( {0,3})\|[^>\\]*\|[ \t]*$/
const DELIMITERS = /^ {0,3}\|(?:[ \t]*:?-+:?[ \t]*\|)+[ \t]*$/
const ITEM = /^ {0,3}\d{1,9}([.)])[ \t]+[^ \t]/

const BLOCK = /^[ \t>]*(?:#|<|\[|[-*_+=|`~]|\d{1,9}[.)])/

const ADDRESS = /www\.|:\/\/|@/gi
const WORD_END = /[^ \t][ \t]/g

/** A fence at the margin opens code whatever stands before, unless HTML or a fence elsewhere may be open. */
const FENCE = /^(`{3,}(?=[^`]*$)|~{3,})/
const FENCE_END = /^ {0,3}(`{3,}|~{3,})[ \t]*$/
const UNSURE = /^[^`~<]*[ \t>](?:`{3}|~{3})|^(?!<!--.*-->[ \t]*$)[^<`~a-z]*</i

const PER_CHARACTER = 50
const PER_WORD = 600
const PER_ADDRESS = 6_000
const PER_LINE = 10_000
const PER_CODE_LINE = 2_500
const PER_BLANK_LINE = 1_000
const PER_BLOCK = 3_000
const PER_LEVEL = 100

interface Scan {
  /** Open containers, at most. */
  open: number
  depth: number
  steps: number
  isBlankBefore: boolean
  /** Of the text that is being read: special characters, emphasis marks, underlines of headings, and how its items are numbered. */
  inline: number
  emphasis: number
  underlines: number
  /** Lines that end in blanks. */
  breaks: number
  delimiter: string
  /** The line before, and how far the rows of the table that it belongs to are indented. */
  previous: string
  rows: string | undefined
  /** The fence of the code that is being read: '' outside, undefined where that cannot be told any more. */
  fence: string | undefined
}

export function markdownCost(text: string): MarkdownCost {
  const scan: Scan = { open: 0, depth: 0, steps: 0, isBlankBefore: true, inline: 0, emphasis: 0, underlines: 0, breaks: 0, delimiter: '', previous: '', rows: undefined, fence: '' }
  let from = 0
  while (from <= text.length) {
    const end = text.indexOf('\n', from)
    const line = text.slice(from, end === -1 ? text.length : end)
    readLine(scan, line)
    from = end === -1 ? text.length + 1 : end + 1
  }
  endText(scan)
  return { depth: scan.depth, steps: scan.steps }
}

function readLine(scan: Scan, line: string): void {
  scan.steps += line.length * PER_CHARACTER
  if (/^[ \t]*$/.test(line)) {
    endText(scan)
    scan.steps += PER_BLANK_LINE + scan.open * PER_LEVEL
    scan.isBlankBefore = true
    return
  }
  if (isCode(scan, line)) {
    scan.steps += PER_CODE_LINE
    return
  }
  scan.steps += PER_LINE + (BLOCK.test(line) ? PER_BLOCK : 0) + count(line, WORD_END) * PER_WORD + count(line, ADDRESS) * PER_ADDRESS
  nest(scan, line)
  const isRow = readRow(scan, line)
  const ordered = ITEM.exec(line)?.[1] ?? ''
  if (isRow || FRESH.test(line) || (ordered !== '' && ordered === scan.delimiter)) endText(scan)
  if (scan.isBlankBefore || ordered !== '') scan.delimiter = ordered
  scan.inline += count(line, INLINE)
  scan.emphasis += count(line, EMPHASIS)
  if (UNDERLINE.test(line)) scan.underlines += 1
  if (/[ \t]$/.test(line)) scan.breaks += 1
  scan.isBlankBefore = false
}

function isCode(scan: Scan, line: string): boolean {
  if (scan.fence === undefined) return false
  if (scan.fence === '') {
    scan.fence = UNSURE.test(line) ? undefined : (FENCE.exec(line)?.[1] ?? '')
    return false
  }
  if (FENCE_END.exec(line)?.[1]?.startsWith(scan.fence)) scan.fence = ''
  return true
}

/** Each row of a table has texts of its own. Lines are a table when a second one right behind a blank says so. */
function readRow(scan: Scan, line: string): boolean {
  const indent = ROW.exec(line)?.[1]
  const isFirst = scan.isBlankBefore
  const isSecond = scan.previous !== '' && ROW.exec(scan.previous)?.[1] === indent && DELIMITERS.test(line) && pipes(line) === pipes(scan.previous)
  if (isSecond) scan.rows = indent
  else if (isFirst || indent !== scan.rows) scan.rows = undefined
  scan.previous = isFirst && indent !== undefined && !DELIMITERS.test(line) ? line : ''
  return scan.rows !== undefined && !isSecond
}

const count = (line: string, pattern: RegExp): number => line.match(pattern)?.length ?? 0
const pipes = (line: string): number => line.split('|').length

/** A line opens what its markers say, inside what its indentation can reach of the containers that are open. */
function nest(scan: Scan, line: string): void {
  const { width, markers } = RULE.test(line) ? { width: 0, markers: 0 } : readMarkers(line)
  const depth = Math.min(scan.open, Math.ceil(width / 2)) + markers
  // A line without markers may go on with the text of the line before, whatever it is nested in.
  scan.open = scan.isBlankBefore || markers > 0 ? depth : Math.max(scan.open, depth)
  scan.depth = Math.max(scan.depth, depth)
  scan.steps += scan.open * PER_LEVEL + markers * PER_BLOCK
}

function readMarkers(line: string): { readonly width: number; readonly markers: number } {
  INDENT.lastIndex = 0
  const width = (INDENT.exec(line)?.[0] ?? '').replaceAll('\t', '    ').length
  let markers = 0
  MARKER.lastIndex = 0
  while (MARKER.test(line)) markers += 1
  return { width, markers }
}

function endText(scan: Scan): void {
  scan.steps += scan.inline ** 2 + 40 * scan.emphasis ** 2 + scan.underlines ** 3 / 64 + scan.breaks ** 2 / 3
  scan.inline = 0
  scan.emphasis = 0
  scan.underlines = 0
  scan.breaks = 0
}
