/** The operator's own tables in the embedded database: files loaded, tables listed and dropped. */

import { open, readFile, stat } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import type { Settings } from '../config/index.ts'
import type { Database } from '../kernel/ports/database.ts'
import { CHANGED, createCsvReader, createNdjsonReader, dropTables, isTypeName, listTables, LoadError, loadTable, plainName, runScript, tableName } from '../services/tables/index.ts'
import type { LoadedTable, LoadOptions, OwnTable, RowReader, TextFile } from '../services/tables/index.ts'
import { createDatabase, isEmbedded } from './data.ts'

export { LoadError }
export type { OwnTable }

export interface FileOptions {
  /** @default 'create' */
  readonly mode?: LoadOptions['mode'] | undefined
  /** Instead of the file's own name. */
  readonly table?: string | undefined
  /** `column=type`, for columns whose values say too little. */
  readonly types: readonly string[]
  /** What divides the fields of a CSV file, instead of a comma, or of the tab of a `.tsv` file. */
  readonly delimiter?: string | undefined
}

export type LoadedFile = LoadedTable | { readonly statements: number }

/** A file of a kind that is known, with options that fit it. */
export interface FilePlan extends Pick<LoadOptions, 'table' | 'mode' | 'types'> {
  readonly file: string
  /** Reads it by rows; nobody reads a script so. */
  readonly reader: (() => RowReader) | undefined
}

export interface OwnTables {
  /** All of the file or nothing. @throws LoadError, Refusal */
  load(plan: FilePlan, watched: Pick<LoadOptions, 'signal' | 'progress'>): Promise<LoadedFile>
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
    load: (plan, watched) => loadFile(database, plan, watched),
    list: (signal) => listTables(database, signal),
    drop: (names, signal) => dropTables(database, names, signal),
    close: () => database.close(),
  }
}

/** One file that is read at once. A longer script is divided, or its rows come as CSV. */
const MAX_SCRIPT_BYTES = 64_000_000

async function loadFile(database: Database, { file, reader, ...plan }: FilePlan, watched: Parameters<OwnTables['load']>[1]): Promise<LoadedFile> {
  if (!reader) return { statements: await runScript(database, await scriptIn(file), watched.signal) }
  return loadTable(database, textFile(file, reader), { ...plan, ...watched })
}

/** What a file's name ends in, and who reads it. */
const READERS: Readonly<Record<string, ((delimiter: string | undefined) => RowReader) | undefined>> = {
  '.csv': (delimiter) => createCsvReader(delimiter ?? ','), '.tsv': (delimiter) => createCsvReader(delimiter ?? '\t'),
  '.ndjson': () => createNdjsonReader(), '.jsonl': () => createNdjsonReader(), '.sql': undefined,
}

/** Opens nothing. @throws LoadError for a file of another kind, and for an option that is wrong or says nothing about such a file. */
export function planLoad(file: string, { table, mode, delimiter, types }: FileOptions): FilePlan {
  const extension = extname(file).toLowerCase()
  if (!Object.hasOwn(READERS, extension)) throw new LoadError('the name ends in none of .csv, .tsv, .ndjson, .jsonl and .sql')
  const isScript = extension === '.sql'
  if (isScript && (table ?? mode ?? delimiter ?? types[0]) !== undefined) throw new LoadError('a script says itself which tables it makes: it takes no table, replace, append, type or delimiter')
  if (delimiter !== undefined && !/^\.[ct]sv$/.test(extension)) throw new LoadError('a delimiter divides the fields of .csv and .tsv alone')
  if (delimiter !== undefined && !/^[^\w\s"\\]$|^\t$/.test(delimiter)) throw new LoadError('a delimiter is one sign, such as ";" or a tab')
  const reader = READERS[extension]
  return { file, reader: reader && (() => reader(delimiter)), table: isScript ? '' : tableName(table ?? basename(file, extname(file))), mode: mode ?? 'create', types: typesOf(types) }
}

function typesOf(given: readonly string[]): ReadonlyMap<string, string> {
  const types = new Map<string, string>()
  for (const one of given) {
    const [, name = '', type = ''] = /^([^=]+)=(.+)$/s.exec(one) ?? []
    const [column, plain] = [plainName(name), type.trim().toLowerCase().replaceAll(/\s+/g, ' ')]
    if (column === '' || !isTypeName(plain)) throw new LoadError('--type takes column=type with a type of Postgres, such as zip=text or price=numeric(10,2)')
    if (types.has(column)) throw new LoadError(`--type names ${column} twice`)
    types.set(column, plain)
  }
  return types
}

/** The same file at each reading. @throws LoadError where another one was put in its place, or something was written to it. */
function textFile(file: string, reader: () => RowReader): TextFile {
  let first: string | undefined
  return {
    reader,
    async *text() {
      const handle = await open(file)
      const checkSame = async (): Promise<void> => {
        const { dev, ino, size, mtimeNs } = await handle.stat({ bigint: true })
        const now = [dev, ino, size, mtimeNs].join(':')
        first ??= now
        if (now !== first) throw new LoadError(CHANGED)
      }
      try {
        await checkSame()
        yield* textOf(handle.createReadStream({ highWaterMark: 1 << 18, autoClose: false }))
        await checkSame()
      } finally {
        await handle.close()
      }
    },
  }
}

async function* textOf(bytes: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let lines = 1
  for await (const chunk of bytes) {
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
