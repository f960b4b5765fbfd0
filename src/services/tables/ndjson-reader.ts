/**
 * Reads one JSON object a line; its keys are columns, each of them once. Numbers keep every digit; what is nested stays
 * JSON.
 */

import { JSON_TYPE, typesOf, TYPE_OF_TEXT } from './column-types.ts'
import { LoadError } from './load-error.ts'
import { MAX_COLUMNS, MAX_ROW_CHARS } from './row-reader.ts'
import type { FileRow, RowReader } from './row-reader.ts'

export const createNdjsonReader = (): RowReader => new NdjsonReader()

/** Stands before a number that was put in quotes; no text of a file begins with it, because none holds a NUL. */
const MARK = '\0'
/** A text, which is a key where a colon follows, or a number. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"(?:\s*:)?|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

class NdjsonReader implements RowReader {
  readonly #places = new Map<string, number>()
  #rest = ''
  #line = 0

  get columns(): readonly string[] {
    return [...this.#places.keys()]
  }

  push(text: string): readonly FileRow[] {
    // Only what is new is searched: a long line comes in many pieces.
    const [first = '', ...others] = text.split('\n')
    const lines = [this.#rest + first, ...others]
    this.#rest = lines.pop() ?? ''
    if (this.#rest.length > MAX_ROW_CHARS) throw new LoadError(`a line has more than ${MAX_ROW_CHARS} characters`, this.#line + 1)
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
  const parsed = parse(text, line)
  if (parsed === null || typeof parsed !== 'object' || Array.isArray(parsed)) throw new LoadError('each line is one JSON object', line)
  const seen = { keys: 0 }
  // Read again with numbers as texts, since a double would round the long ones.
  const exact = text.replaceAll(TOKEN, (token) => {
    if (token.endsWith(':')) seen.keys += 1
    return token.startsWith('"') ? token : JSON.stringify(MARK + token)
  })
  if (keysOf(parsed, line) !== seen.keys) throw new LoadError('one object has the same key twice', line)
  return parse(exact, line) as object
}

/** How many keys a value has at any depth. By hand: what is nested deeply would end the stack. @throws LoadError for a NUL, which Postgres does not keep. */
function keysOf(root: object, line: number): number {
  let keys = 0
  for (const waiting: unknown[] = [root]; waiting.length > 0; ) {
    const value = waiting.pop()
    if (typeof value === 'string') checkText(value, line)
    if (value === null || typeof value !== 'object') continue
    const isList = Array.isArray(value)
    for (const [key, inner] of Object.entries(value)) {
      if (!isList) {
        keys += 1
        checkText(key, line)
      }
      waiting.push(inner)
    }
  }
  return keys
}

function checkText(text: string, line: number): void {
  if (text.includes('\0')) throw new LoadError('a text holds no NUL', line)
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
