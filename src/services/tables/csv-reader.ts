/**
 * Reads CSV as RFC 4180 describes it, with a header. An empty field is NULL, an empty text is `""`. What the RFC leaves
 * open is refused with its line, because a guess would put values into wrong columns.
 */

import { LoadError } from './load-error.ts'
import { MAX_COLUMNS, MAX_ROW_CHARS } from './row-reader.ts'
import type { FileRow, RowReader } from './row-reader.ts'

type State = 'start' | 'plain' | 'quoted' | 'closed'

/** @param delimiter one character. */
export const createCsvReader = (delimiter: string): RowReader => new CsvReader(delimiter)

class CsvReader implements RowReader {
  readonly #delimiter: string
  readonly #special: RegExp
  #columns: readonly string[] = []
  #state: State = 'start'
  #cells: (string | null)[] = []
  #value = ''
  #line = 1
  #rowLine = 1
  #quoteLine = 1
  /** Characters of the row so far. */
  #chars = 0
  /** The next line feed of the text that is being read, at or after the place that was asked for last. */
  #feed = -1
  /** The last character was a carriage return, so a line feed after it ends no second row. */
  #returned = false

  constructor(delimiter: string) {
    this.#delimiter = delimiter
    this.#special = new RegExp(`[${delimiter === '\t' ? '\\t' : `\\${delimiter}`}"\\r\\n]`, 'g')
  }

  get columns(): readonly string[] {
    return this.#columns
  }

  push(text: string): readonly FileRow[] {
    const rows: FileRow[] = []
    this.#feed = -1
    for (let at = 0; at < text.length; ) at = this.#state === 'quoted' ? this.#inQuotes(text, at) : this.#outside(text, at, rows)
    return rows
  }

  end(): readonly FileRow[] {
    if (this.#state === 'quoted') throw new LoadError('a quote is opened and never closed', this.#quoteLine)
    const rows: FileRow[] = []
    if (this.#state !== 'start' || this.#cells.length > 0) this.#endRow(rows)
    if (this.#columns.length === 0) throw new LoadError('the file is empty: its first line names the columns')
    return rows
  }

  #inQuotes(text: string, at: number): number {
    const close = text.indexOf('"', at)
    const end = close < 0 ? text.length : close
    for (let feed = this.#feedFrom(text, at); feed < end; feed = this.#feedFrom(text, feed + 1)) this.#line += 1
    this.#add(text.slice(at, end), this.#quoteLine)
    if (close < 0) return end
    this.#state = 'closed'
    return close + 1
  }

  /** Asked with places that only rise, it reads a text once. */
  #feedFrom(text: string, at: number): number {
    if (this.#feed >= at) return this.#feed
    const found = text.indexOf('\n', at)
    this.#feed = found < 0 ? text.length : found
    return this.#feed
  }

  #outside(text: string, at: number, rows: FileRow[]): number {
    this.#special.lastIndex = at
    const found = this.#special.exec(text)
    const end = found?.index ?? text.length
    if (end > at) this.#plain(text.slice(at, end))
    if (!found) return end
    if (found[0] === '"') this.#quote()
    else if (found[0] === this.#delimiter) this.#endCell()
    else this.#endLine(found[0], rows)
    return end + 1
  }

  #plain(text: string): void {
    if (this.#state === 'closed') throw new LoadError('something stands between a closing quote and the end of its field', this.#line)
    this.#returned = false
    this.#state = 'plain'
    this.#add(text, this.#line)
  }

  #quote(): void {
    if (this.#state === 'plain') throw new LoadError('a quote stands inside a field that has none around it; write it as "" and put the field in quotes', this.#line)
    // Two of them are one that belongs to the text.
    if (this.#state === 'closed') this.#add('"', this.#quoteLine)
    else this.#quoteLine = this.#line
    this.#returned = false
    this.#state = 'quoted'
  }

  #endCell(): void {
    this.#returned = false
    this.#cells.push(this.#state === 'start' ? null : this.#value)
    this.#value = ''
    this.#state = 'start'
    if (this.#cells.length > MAX_COLUMNS) throw new LoadError(`a table has at most ${MAX_COLUMNS} columns`, this.#rowLine)
  }

  #endLine(mark: string, rows: FileRow[]): void {
    if (mark === '\n' && this.#returned) {
      this.#returned = false
      return
    }
    this.#endRow(rows)
    this.#returned = mark === '\r'
    this.#line += 1
    this.#rowLine = this.#line
  }

  #endRow(rows: FileRow[]): void {
    this.#endCell()
    const [line, cells] = [this.#rowLine, this.#cells]
    this.#cells = []
    this.#chars = 0
    // A line without anything on it is a row only where one empty value is a row.
    if (cells.length === 1 && cells[0] === null && this.#columns.length !== 1) return
    if (this.#columns.length === 0) this.#columns = this.#header(cells)
    else if (cells.length !== this.#columns.length) throw new LoadError(`${cells.length} fields where the header names ${this.#columns.length} columns`, line)
    else rows.push({ line, cells })
  }

  #header(cells: readonly (string | null)[]): readonly string[] {
    const other = cells.length === 1 ? /[,;|\t]/.exec(cells[0] ?? '')?.[0] : undefined
    if (other !== undefined) throw new LoadError(`the header is one column with ${JSON.stringify(other)} in its name; name what divides the fields with --delimiter`, this.#rowLine)
    return cells.map((cell) => cell ?? '')
  }

  #add(text: string, line: number): void {
    if (text.includes('\0')) throw new LoadError('a text holds no NUL', this.#line)
    this.#value += text
    this.#chars += text.length
    if (this.#chars > MAX_ROW_CHARS) throw new LoadError(`a row has more than ${MAX_ROW_CHARS} characters; a quote may be missing`, line)
  }
}
