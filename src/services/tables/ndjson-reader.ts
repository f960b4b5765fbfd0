/** Reads one JSON object a line; its keys are columns. Numbers keep every digit; what is nested stays JSON. */

import { JSON_TYPE, typesOf, TYPE_OF_TEXT } from './column-types.ts'
import { LoadError } from './load-error.ts'
import { MAX_COLUMNS, MAX_VALUE_CHARS } from './row-reader.ts'
import type { FileRow, RowReader } from './row-reader.ts'

export const createNdjsonReader = (): RowReader => new NdjsonReader()

/** Stands before a number that was put in quotes; no text of a file begins with it, because none holds a NUL. */
const MARK = '\0'
const NUMBER_OR_TEXT = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

class NdjsonReader implements RowReader {
  readonly #places = new Map<string, number>()
  #rest = ''
  #line = 0

  get columns(): readonly string[] {
    return [...this.#places.keys()]
  }

  push(text: string): readonly FileRow[] {
    const lines = (this.#rest + text).split('\n')
    this.#rest = lines.pop() ?? ''
    if (this.#rest.length > MAX_VALUE_CHARS) throw new LoadError(`a line has more than ${MAX_VALUE_CHARS} characters`, this.#line + 1)
    return lines.flatMap((line) => this.#row(line))
  }

  end(): readonly FileRow[] {
    const rows = this.#row(this.#rest)
    if (this.#places.size === 0) throw new LoadError('the file names no column: it has one JSON object a line')
    return rows
  }

  #row(text: string): readonly FileRow[] {
    const line = (this.#line += 1)
    if (text.trim() === '') return []
    const [cells, types]: [(string | null)[], number[]] = [[], []]
    for (const [key, value] of Object.entries(objectOf(text, line))) {
      const place = this.#placeOf(key, line)
      cells[place] = textOf(value)
      types[place] = kindsOf(value)
    }
    return [{ line, cells: Array.from(cells, (cell) => cell ?? null), types }]
  }

  #placeOf(key: string, line: number): number {
    const known = this.#places.get(key)
    if (known !== undefined) return known
    if (this.#places.size === MAX_COLUMNS) throw new LoadError(`a table has at most ${MAX_COLUMNS} columns`, line)
    this.#places.set(key, this.#places.size)
    return this.#places.size - 1
  }
}

function objectOf(text: string, line: number): object {
  // Escaped or not, Postgres keeps no NUL.
  if (/\0|\\u0000/.test(text)) throw new LoadError('a text holds no NUL', line)
  const parsed = parse(text, line)
  if (parsed === null || typeof parsed !== 'object' || Array.isArray(parsed)) throw new LoadError('each line is one JSON object', line)
  // Read again with numbers as texts, since a double would round the long ones.
  return parse(text.replaceAll(NUMBER_OR_TEXT, (token) => (token.startsWith('"') ? token : JSON.stringify(MARK + token))), line) as object
}

function parse(text: string, line: number): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new LoadError('the line is no JSON', line)
  }
}

const isNumber = (value: unknown): value is string => typeof value === 'string' && value.startsWith(MARK)

function textOf(value: unknown): string | null {
  if (value === null) return null
  if (typeof value === 'string') return isNumber(value) ? value.slice(MARK.length) : value
  return typeof value === 'object' ? JSON.stringify(value).replaceAll(/"\\u0000([^"]*)"/g, '$1') : String(value)
}

/** A text that looks like a number is a text: the file had the choice. */
function kindsOf(value: unknown): number {
  if (typeof value === 'object') return JSON_TYPE
  return isNumber(value) || typeof value !== 'string' ? typesOf(String(textOf(value))) : typesOf(value) & TYPE_OF_TEXT
}
