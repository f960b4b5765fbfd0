/**
 * The inside of the engine's thread: PGlite with pgvector, one job after the other. The function is handed over as
 * text, so it stands alone: whatever it needs comes in by `load` and by the thread's start data.
 */

import type { Rows } from '../../kernel/ports/database.ts'
import type { Answer, Ask, RowReader } from './bounded-rows.ts'
import type { Job, JobOutcome } from './job.ts'
import type { PortalReader } from './portal-reader.ts'

/** What the thread is started with. Paths are absolute. */
export interface EngineStart {
  readonly pglite: string
  readonly pgvector: string
  readonly dataDir: string
  /** Written once the directory is complete; a directory without it is the rest of a start that was killed. */
  readonly marker: string
  /** A prepared directory as a compressed tar, or empty. */
  readonly template: string
  readonly bootstrap: string
  /** Lines of the server's configuration, `name=value`. */
  readonly configuration: readonly string[]
  /** What the engine may hold, with all that it runs. */
  readonly memoryBytes: number
}

interface GrowingMemory {
  readonly buffer: ArrayBuffer
  /** By pages of 64 KiB (WebAssembly JavaScript interface). */
  grow(pages: number): number
}

interface Lite {
  readonly parsers: object
  readonly serializers: object
  query(sql: string, values: readonly unknown[], options: object): Promise<Answer>
  exec(sql: string): Promise<unknown>
  execProtocolRawStream(messages: Uint8Array, options: { onRawData(piece: Uint8Array): void }): Promise<void>
  close(): Promise<void>
  dumpDataDir(compression: 'gzip'): Promise<Blob>
}

export type EngineMessage = { readonly id: number; readonly job: Job } | { readonly end: true } | { readonly dump: string }

export async function engineMain(load: NodeJS.Require, reader: RowReader, portal: PortalReader): Promise<void> {
  const { parentPort, workerData } = load('node:worker_threads') as typeof import('node:worker_threads')
  const fs = load('node:fs') as typeof import('node:fs')
  const start = workerData as EngineStart
  // No setting of the server bounds what one value takes, and a thread's limits leave WebAssembly out.
  const memory = (globalThis as unknown as { WebAssembly: { Memory: { prototype: GrowingMemory } } }).WebAssembly.Memory.prototype
  const { grow } = memory
  memory.grow = function (this: GrowingMemory, pages) {
    if (this.buffer.byteLength + pages * 65_536 > start.memoryBytes) throw new RangeError('out of memory')
    return grow.call(this, pages)
  }
  const { PGlite } = load(start.pglite) as { PGlite: { create(dataDir: string, options: object): Promise<Lite> } }
  const { vector } = load(start.pgvector) as { vector: object }

  /** A directory made with other numbers takes these from its next start on. */
  const configure = (): void => {
    const file = `${start.dataDir}/postgresql.conf`
    const lines = fs.readFileSync(file, 'utf8').split('\n')
    if (start.configuration.every((wanted) => lines.includes(wanted))) return
    const names = start.configuration.map((wanted) => wanted.split('=', 1)[0] ?? '')
    const others = lines.filter((line) => !names.some((name) => line.startsWith(`${name}=`)))
    fs.writeFileSync(`${file}.new`, [...others, ...start.configuration, ''].join('\n'), { mode: 0o600 })
    fs.renameSync(`${file}.new`, file)
  }
  const open = async (): Promise<Lite> => {
    const ready = fs.existsSync(start.marker)
    // The engine takes a directory without it for a new one, and writes over what is there.
    if (ready && !fs.existsSync(`${start.dataDir}/PG_VERSION`)) throw new Error('the directory is not whole')
    if (ready) configure()
    if (!ready) fs.rmSync(start.dataDir, { recursive: true, force: true })
    const fromTemplate = !ready && start.template !== ''
    const made = await PGlite.create(start.dataDir, {
      extensions: { vector },
      // Only at creation: the same number as an argument of the start makes the engine hang.
      ...(ready || fromTemplate ? {} : { postgresqlconf: start.configuration }),
      ...(fromTemplate ? { loadDataDir: new Blob([fs.readFileSync(start.template)]) } : {}),
    })
    if (!ready) {
      if (!fromTemplate) await made.exec(start.bootstrap)
      fs.writeFileSync(start.marker, '', { mode: 0o600 })
    }
    return made
  }
  const lite = await open()
  const untouched = (table: object) => Object.fromEntries(Object.keys(table).map((oid) => [oid, (value: unknown) => value]))
  const asText = { rowMode: 'array', parsers: untouched(lite.parsers), serializers: untouched(lite.serializers) }
  const ask: Ask = (sql, values) => lite.query(sql, values.map((value) => (value === null || typeof value === 'string' ? value : Buffer.from(value.base64, 'base64'))), asText)
  const runStatement = async (text: Job['statements'][number], job: Job): Promise<Rows> => {
    if (job.cursor) return portal.read((messages, onRawData) => lite.execProtocolRawStream(messages, { onRawData }), text, job)
    if (!job.scripts) return reader.direct(ask, text, job)
    await lite.exec(text.sql)
    return { columns: [], rows: [], truncated: false, changed: 0 }
  }
  const run = async (job: Job): Promise<JobOutcome> => {
    const results: Rows[] = []
    try {
      await lite.exec(job.begin)
      for (const text of job.statements) results.push(await runStatement(text, job))
      await lite.exec('COMMIT')
      if (job.freshAfter) await lite.exec('DISCARD ALL')
      return { is: 'ok', results }
    } catch (error) {
      // Neither the statement nor its values leave with the error, although the library attaches both.
      const { code, message } = error as { code?: unknown; message?: unknown }
      if (typeof code !== 'string' || !/^[0-9A-Z]{5}$/.test(code)) return { is: 'lost', says: String(message) }
      await lite.exec('ROLLBACK')
      if (job.freshAfter) await lite.exec('DISCARD ALL')
      return { is: 'error', sqlState: code, says: String(message), statement: results.length }
    }
  }

  let turn: Promise<unknown> = Promise.resolve()
  const attend = async (message: EngineMessage): Promise<void> => {
    if ('job' in message) {
      parentPort?.postMessage({ id: message.id, outcome: await run(message.job) })
      return
    }
    if ('dump' in message) {
      const dump = await lite.dumpDataDir('gzip')
      fs.writeFileSync(message.dump, new Uint8Array(await dump.arrayBuffer()))
    }
    await lite.close()
    parentPort?.close()
  }
  parentPort?.on('message', (message: EngineMessage) => {
    turn = turn.then(() => attend(message))
  })
  parentPort?.postMessage({ ready: true })
}
