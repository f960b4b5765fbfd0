/** `data load`, `data tables`, `data drop`: the operator's own tables, which `sql_query` reads. */

import { resolve } from 'node:path'
import { LoadError, openTables, planLoad } from '../../app/tables.ts'
import type { FileOptions, FilePlan, LoadedFile, OwnTable, OwnTables } from '../../app/tables.ts'
import { Refusal, refusalText } from '../../kernel/refusal.ts'
import { shown } from '../../kernel/terminal-text.ts'
import { load } from './load.ts'
import { openProgress, withProgress } from './progress.ts'
import { EXIT, print, say } from './terminal.ts'
import type { Terminal } from './terminal.ts'

type Options = Readonly<Record<string, unknown>>

export const dataLoad = (terminal: Terminal, options: Options, files: readonly string[]): Promise<number> => {
  if (options['table'] !== undefined && files.length > 1) return wrong(terminal, '--table names the table of one file')
  if (options['replace'] === true && options['append'] === true) return wrong(terminal, 'a file is put in the place of a table, or added to it')
  return withTables(terminal, { options, stopped: 'stopped; nothing of the last file is in the database' }, async (tables) => {
    const done: object[] = []
    try {
      const plans: (readonly [file: string, plan: FilePlan])[] = []
      // All of them before the first one is loaded.
      for (const file of files) plans.push([file, await about(terminal, file, () => planLoad(resolve(terminal.cwd, file), asked(options)))])
      for (const [file, plan] of plans) {
        // The file is read once before it is written.
        const loaded = await about(terminal, file, () => withProgress(openProgress(terminal, shown(file), { json: options['json'] === true }), (progress) => tables.load(plan, { signal: terminal.stop, progress })))
        done.push({ file, ...loaded })
        if (options['json'] !== true) print(terminal, shown(`${file}: ${sentenceOf(loaded)}`))
      }
      return EXIT.ok
    } finally {
      if (options['json'] === true) print(terminal, jsonOf({ loaded: done }))
    }
  })
}

function asked(options: Options): FileOptions {
  const text = (name: string): string | undefined => (typeof options[name] === 'string' ? options[name] : undefined)
  return {
    mode: options['replace'] === true ? 'replace' : options['append'] === true ? 'append' : undefined,
    table: text('table'), delimiter: text('delimiter')?.replace('\\t', '\t'), types: (options['type'] as readonly string[] | undefined) ?? [],
  }
}

/** What is wrong is said with the file, as it was named, and the line. */
async function about<T>({ cwd }: Terminal, file: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof LoadError) throw new LoadError(`${file}${error.line === undefined ? '' : `:${error.line}`}: ${error.message}`)
    // A folder of the database that cannot be had is another matter.
    throw isOfDisk(error) && (error.path ?? resolve(cwd, file)) === resolve(cwd, file) ? new LoadError(`${file}: cannot be read (${error.code})`) : error
  }
}

const sentenceOf = (loaded: LoadedFile): string =>
  'statements' in loaded ? `${loaded.statements} statements ran` : `${loaded.rows} rows in ${loaded.table} (${loaded.columns.map(({ name, type }) => `${name} ${type}`).join(', ')})`

export const dataTables = (terminal: Terminal, options: Options): Promise<number> =>
  withTables(terminal, { options, stopped: 'stopped' }, async (tables) => {
    const all = await tables.list(terminal.stop)
    if (options['json'] === true) print(terminal, jsonOf({ tables: all }))
    else print(terminal, all.length === 0 ? 'there are no tables yet: arrowhead data load FILE' : all.map(lineOf).join('\n'))
    return EXIT.ok
  })

const lineOf = ({ name, is, rows, bytes, columns }: OwnTable): string =>
  shown(`${name}${is === 'table' ? '' : ` (${is})`}: ${rows === null ? 'rows not counted' : `${rows} rows`}, ${bytes} bytes (${columns.map((column) => `${column.name} ${column.type}`).join(', ')})`)

export const dataDrop = (terminal: Terminal, options: Options, names: readonly string[]): Promise<number> =>
  withTables(terminal, { options, stopped: 'stopped; all of it is dropped or nothing, and arrowhead data tables tells which' }, async (tables) => {
    await tables.drop(names, terminal.stop)
    print(terminal, options['json'] === true ? jsonOf({ dropped: names }) : shown(`dropped: ${names.join(', ')}`))
    return EXIT.ok
  })

interface Command {
  readonly options: Options
  /** What is said to whoever stopped it. */
  readonly stopped: string
}

async function withTables(terminal: Terminal, { options, stopped }: Command, work: (tables: OwnTables) => Promise<number>): Promise<number> {
  const { values, dataDir } = load(terminal, options)
  let tables: OwnTables | undefined
  try {
    tables = openTables(values, resolve(terminal.cwd, dataDir))
    return await work(tables)
  } catch (error) {
    // The operator's own database may be quoted to the operator.
    if (error instanceof LoadError) return told(terminal, error.message)
    if (terminal.stop.aborted) return told(terminal, stopped)
    if (error instanceof Refusal) return told(terminal, refusalText(error))
    throw error
  } finally {
    await tables?.close()
  }
}

function told(terminal: Terminal, words: string): number {
  say(terminal, shown(`arrowhead: ${words}`))
  return EXIT.refused
}

function wrong(terminal: Terminal, words: string): Promise<number> {
  say(terminal, `arrowhead: ${words}`)
  return Promise.resolve(EXIT.usage)
}

const isOfDisk = (error: unknown): error is { readonly code: string; readonly path?: string } => /^E[A-Z]+$/.test(String((error as { code?: unknown } | undefined)?.code))

/** JSON that a terminal can show too: the same text, with escapes for what would act on one. */
const jsonOf = (value: object): string =>
  JSON.stringify(value).replace(/[\p{C}\u2028\u2029]/gu, (signs) => signs.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`))
