/** The operator's own tables in the embedded database: files loaded, tables listed and dropped. */

import { createReadStream } from 'node:fs'
import { stat, readFile } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import type { Settings } from '../config/index.ts'
import type { Database } from '../kernel/ports/database.ts'
import { createCsvReader, createNdjsonReader, dropTables, isTypeName, listTables, LoadError, loadTable, plainName, runScript, tableName } from '../services/tables/index.ts'
import type { LoadedTable, LoadOptions, OwnTable, TextFile } from '../services/tables/index.ts'
import { createDatabase, isEmbedded } from './data.ts'

export { LoadError }
export type { OwnTable }

export interface FileOptions extends Pick<LoadOptions, 'mode' | 'signal' | 'progress'> {
  /** Instead of the file's own name. */
  readonly table?: string | undefined
  /** `column=type`, for columns whose values say too little. */
  readonly types: readonly string[]
  /** What divides the fields of a CSV file, instead of a comma, or of the tab of a `.tsv` file. */
  readonly delimiter?: string | undefined
}

export type LoadedFile = LoadedTable | { readonly statements: number }

export interface OwnTables {
  /** All of the file or nothing. @throws LoadError, Refusal */
  load(file: string, options: FileOptions): Promise<LoadedFile>
  list(signal: AbortSignal): Promise<readonly OwnTable[]>
  /** All of them or none. @throws LoadError */
  drop(names: readonly string[], signal: AbortSignal): Promise<void>
  close(): Promise<void>
}

/** Whoever has a database of his own fills it with its own tools. @throws LoadError */
export function openTables(settings: Settings, folder: string): OwnTables {
  if (settings.sqlDsn !== undefined) throw new LoadError('sql_query reads the database of ARROWHEAD_SQL_DSN; use the tools of that database')
  if (!isEmbedded(settings)) throw new LoadError('ARROWHEAD_VECTOR_WRITE_DSN names a server, so there is no embedded database; set ARROWHEAD_SQL_DSN and use the tools of that database')
  const database = createDatabase(settings, { folder })
  return {
    load: (file, options) => loadFile(database, file, options),
    list: (signal) => listTables(database, signal),
    drop: (names, signal) => dropTables(database, names, signal),
    close: () => database.close(),
  }
}

/** One file that is read at once. A longer script is divided, or its rows come as CSV. */
const MAX_SCRIPT_BYTES = 64_000_000

async function loadFile(database: Database, file: string, options: FileOptions): Promise<LoadedFile> {
  const reader = readerOf(file, options.delimiter)
  if (!reader) return { statements: await runScript(database, await scriptIn(file), options.signal) }
  const table = tableName(options.table ?? basename(file, extname(file)))
  return loadTable(database, { reader, text: () => textOf(file) }, { ...options, table, types: typesOf(options.types) })
}

/** @returns undefined for a script. */
function readerOf(file: string, delimiter: string | undefined): TextFile['reader'] | undefined {
  const extension = extname(file).toLowerCase()
  if (delimiter !== undefined && !/^[^\w\s"\\]$|^\t$/.test(delimiter)) throw new LoadError('a delimiter is one sign, such as ";" or a tab')
  switch (extension) {
    case '.csv':
      return () => createCsvReader(delimiter ?? ',')
    case '.tsv':
      return () => createCsvReader(delimiter ?? '\t')
    case '.ndjson':
    case '.jsonl':
      return () => createNdjsonReader()
    case '.sql':
      return undefined
    default:
      throw new LoadError('the name ends in none of .csv, .tsv, .ndjson, .jsonl and .sql')
  }
}

function typesOf(given: readonly string[]): ReadonlyMap<string, string> {
  return new Map(given.map((one) => {
    const [, name = '', type = ''] = /^([^=]+)=(.+)$/s.exec(one) ?? []
    if (plainName(name) === '' || !isTypeName(type.toLowerCase())) throw new LoadError('--type takes column=type, such as zip=text or price=numeric(10,2)')
    return [plainName(name), type.toLowerCase()]
  }))
}

async function* textOf(file: string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let lines = 1
  for await (const chunk of createReadStream(file, { highWaterMark: 1 << 18 }) as AsyncIterable<Buffer>) {
    const text = decoded(decoder, chunk, lines)
    for (let feed = text.indexOf('\n'); feed >= 0; feed = text.indexOf('\n', feed + 1)) lines += 1
    yield text
  }
  yield decoded(decoder, undefined, lines)
}

function decoded(decoder: { decode(chunk?: Uint8Array, options?: { stream?: boolean }): string }, chunk: Buffer | undefined, lines: number): string {
  try {
    return decoder.decode(chunk, { stream: chunk !== undefined })
  } catch {
    const before = new TextDecoder().decode(chunk).split('\ufffd', 1)[0] ?? ''
    throw new LoadError('the file is no UTF-8 text; save it as UTF-8', lines + before.split('\n').length - 1)
  }
}

async function scriptIn(file: string): Promise<string> {
  if ((await stat(file)).size > MAX_SCRIPT_BYTES) throw new LoadError(`a script has at most ${MAX_SCRIPT_BYTES / 1e6} MB; load rows as CSV`)
  return decoded(new TextDecoder('utf-8', { fatal: true }), await readFile(file), 1)
}
