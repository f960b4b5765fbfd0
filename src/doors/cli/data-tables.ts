/** `data load`, `data tables`, `data drop`: the operator's own tables, which `sql_query` reads. */

import { resolve } from 'node:path'
import { LoadError, openTables } from '../../app/tables.ts'
import type { FileOptions, LoadedFile, OwnTable, OwnTables } from '../../app/tables.ts'
import { Refusal, refusalText } from '../../kernel/refusal.ts'
import { load } from './load.ts'
import { openProgress, withProgress } from './progress.ts'
import { EXIT, print, say } from './terminal.ts'
import type { Terminal } from './terminal.ts'

type Options = Readonly<Record<string, unknown>>

export const dataLoad = (terminal: Terminal, options: Options, files: readonly string[]): Promise<number> => {
  if (options['table'] !== undefined && files.length > 1) return wrong(terminal, '--table names the table of one file')
  if (options['replace'] === true && options['append'] === true) return wrong(terminal, 'a file is put in the place of a table, or added to it')
  return withTables(terminal, options, async (tables) => {
    const done: object[] = []
    try {
      for (const file of files) {
        const loaded = await loadOne(terminal, tables, file, options)
        done.push({ file, ...loaded })
        if (options['json'] !== true) print(terminal, `${file}: ${sentenceOf(loaded)}`)
      }
      return EXIT.ok
    } finally {
      if (options['json'] === true) print(terminal, JSON.stringify({ loaded: done }))
    }
  })
}

async function loadOne(terminal: Terminal, tables: OwnTables, file: string, options: Options): Promise<LoadedFile> {
  const text = (name: string): string | undefined => (typeof options[name] === 'string' ? options[name] : undefined)
  const given: Omit<FileOptions, 'progress'> = {
    mode: options['replace'] === true ? 'replace' : options['append'] === true ? 'append' : 'create',
    table: text('table'), delimiter: text('delimiter')?.replace('\\t', '\t'), types: (options['type'] as readonly string[] | undefined) ?? [],
    signal: terminal.stop,
  }
  try {
    // The file is read once before it is written.
    return await withProgress(openProgress(terminal, file, { json: options['json'] === true }), (progress) => tables.load(resolve(terminal.cwd, file), { ...given, progress }))
  } catch (error) {
    if (error instanceof LoadError) throw new LoadError(`${file}${error.line === undefined ? '' : `:${error.line}`}: ${error.message}`)
    throw isOfDisk(error) ? new LoadError(`${file}: cannot be read (${error.code})`) : error
  }
}

const sentenceOf = (loaded: LoadedFile): string =>
  'statements' in loaded ? `${loaded.statements} statements ran` : `${loaded.rows} rows in ${loaded.table} (${loaded.columns.map(({ name, type }) => `${name} ${type}`).join(', ')})`

export const dataTables = (terminal: Terminal, options: Options): Promise<number> =>
  withTables(terminal, options, async (tables) => {
    const all = await tables.list(terminal.stop)
    if (options['json'] === true) print(terminal, JSON.stringify({ tables: all }))
    else print(terminal, all.length === 0 ? 'there are no tables yet: arrowhead data load FILE' : all.map(lineOf).join('\n'))
    return EXIT.ok
  })

const lineOf = ({ name, is, rows, bytes, columns }: OwnTable): string =>
  `${name}${is === 'view' ? ' (view)' : ''}: ${rows} rows, ${bytes} bytes (${columns.map((column) => `${column.name} ${column.type}`).join(', ')})`

export const dataDrop = (terminal: Terminal, options: Options, names: readonly string[]): Promise<number> =>
  withTables(terminal, options, async (tables) => {
    await tables.drop(names, terminal.stop)
    print(terminal, options['json'] === true ? JSON.stringify({ dropped: names }) : `dropped: ${names.join(', ')}`)
    return EXIT.ok
  })

async function withTables(terminal: Terminal, options: Options, work: (tables: OwnTables) => Promise<number>): Promise<number> {
  const { values, dataDir } = load(terminal, options)
  let tables: OwnTables | undefined
  try {
    tables = openTables(values, resolve(terminal.cwd, dataDir))
    return await work(tables)
  } catch (error) {
    if (terminal.stop.aborted) return told(terminal, 'stopped; nothing of the last file is in the database')
    // The operator's own database may be quoted to the operator.
    if (error instanceof LoadError) return told(terminal, error.message)
    if (error instanceof Refusal) return told(terminal, refusalText(error))
    throw error
  } finally {
    await tables?.close()
  }
}

function told(terminal: Terminal, words: string): number {
  say(terminal, `arrowhead: ${words}`)
  return EXIT.refused
}

function wrong(terminal: Terminal, words: string): Promise<number> {
  say(terminal, `arrowhead: ${words}`)
  return Promise.resolve(EXIT.usage)
}

const isOfDisk = (error: unknown): error is { readonly code: string } => /^E[A-Z]+$/.test(String((error as { code?: unknown } | undefined)?.code))
