/**
 * Keeps the file of a trail from growing for ever: when it is over its size, its older rows go to an archive beside it,
 * and only then, bit by bit, out of the file. A crash between two steps leaves a row in two places, never in none.
 */

import { readdirSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { openBackgroundWriter } from '../../exits/disk/background-writer.ts'
import { type Database, openDatabase } from '../../exits/disk/database.ts'
import { extractRows, nameFile } from '../../exits/disk/extract-rows.ts'
import { newId } from '../../exits/random.ts'
import { archiveFile, partsOf, rowsBehind, type TrailPart } from './trail-parts.ts'
import { ADD_PART, ARCHIVE_ROWS, headOf, SELECT_ENTRIES, SELECT_HEAD, storedOf } from './trail-schema.ts'

export interface ArchiverOptions {
  readonly file: string
  /** Bytes of the file from which on rows are archived. */
  readonly maxBytes: number
  /** Newest rows that stay in the file. @default 10,000 */
  readonly keepRows?: number
  /** Hears of an archive that could not be made; it is tried again later. */
  readonly onError: (error: unknown) => void
}

export interface Archiver {
  /** Told of rows that were written; looks now and then, and never in the way of a call. */
  note(rows: number): void
  /** Waits for an archive that is being made. */
  close(): Promise<void>
}

/** Rows that stay in the file when the others go to an archive. */
export const KEEP_ROWS = 10_000
const [LOOK_EVERY_ROWS, DELETE_AT_ONCE] = [2_000, 1_000]
/** What is still unfinished by then was left by a process that ended. */
const ABANDONED_MS = 600_000
const MAKING = '.making-'

export function createArchiver({ file, maxBytes, keepRows = KEEP_ROWS, onError }: ArchiverOptions): Archiver {
  let [rows, isFirst] = [0, true]
  let working: Promise<void> | undefined
  const look = async (): Promise<void> => {
    if (sizeOf(file) + sizeOf(`${file}-wal`) <= maxBytes) return
    const db = openDatabase(file)
    try {
      await removeArchived(db, file)
      const part = bytesIn(db) > maxBytes ? nextPart(db, file, keepRows) : undefined
      if (part === undefined) return
      await archive(db, file, part)
      await removeArchived(db, file)
    } finally {
      db.close()
    }
  }
  return {
    note(written) {
      rows += written
      if (working !== undefined || (!isFirst && rows < Math.min(LOOK_EVERY_ROWS, keepRows))) return
      ;[rows, isFirst] = [0, false]
      working = Promise.resolve().then(look).catch(onError).finally(() => (working = undefined))
    },
    close: async () => working,
  }
}

/** A cheap look: what is in the write-ahead log may be in the file already. */
const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0

/** Bytes that hold something; those of rows that went are used again. */
function bytesIn(db: Database): number {
  const of = (name: string): number => Number(db.get(`PRAGMA ${name}`)?.[name])
  return (of('page_count') - of('freelist_count')) * of('page_size')
}

/** All but the newest rows; nothing where that is not worth a file. */
function nextPart(db: Database, file: string, keepRows: number): TrailPart | undefined {
  const [first, newest] = [(partsOf(db).at(-1)?.last ?? 0) + 1, (headOf(db.get(SELECT_HEAD))?.seq ?? 0) - keepRows]
  if (newest - first + 1 < keepRows) return undefined
  const [begin] = rowsBehind(db, file, { seq: first - 1, limit: 1 })
  if (begin?.head.seq !== first) throw new Error('rows of the audit trail are missing')
  // Rows that were written together go together.
  const end = db.get(`${SELECT_ENTRIES} WHERE seq BETWEEN ? AND ? ORDER BY seq DESC LIMIT 1`, first, newest)
  return end && { first, last: Number(end['seq']), prev: begin.prev, begin: begin.head.hash, hash: storedOf(end).head.hash }
}

async function archive(db: Database, file: string, part: TrailPart): Promise<void> {
  const to = archiveFile(file, part)
  const making = `${to}${MAKING}${newId()}`
  removeAbandoned(to)
  const rows = countIn(db, part)
  await extractRows({ from: file, to: making, sql: ARCHIVE_ROWS(part.first, part.last) })
  try {
    const isWhole = holds(making, part, rows)
    // Under the lock of all writers: what another process archived meanwhile is not archived again, nor written over.
    db.transaction('immediate', () => {
      if ((partsOf(db).at(-1)?.last ?? 0) >= part.first) return
      if (!isWhole) throw new Error('an archive of the audit trail is not what was written')
      nameFile(making, to)
      db.run(ADD_PART, part.first, part.last, part.prev, part.begin, part.hash)
    })
  } finally {
    rmSync(making, { force: true })
  }
}

/** Rows of the table, whatever their texts say: what somebody wrote over is archived as it is, for `verify` to name. */
const countIn = (db: Database, { first, last }: TrailPart): unknown => db.get('SELECT count(*) AS rows FROM audit WHERE seq BETWEEN ? AND ?', first, last)?.['rows']

function holds(made: string, part: TrailPart, rows: unknown): boolean {
  const db = openDatabase(made, { access: 'read' })
  try {
    const last = db.get(`${SELECT_ENTRIES} WHERE seq = ?`, part.last)
    return countIn(db, part) === rows && last !== undefined && storedOf(last).head.hash === part.hash
  } finally {
    db.close()
  }
}

/** In small steps on another thread: whoever appends meanwhile waits for one of them at most. */
async function removeArchived(db: Database, file: string): Promise<void> {
  const last = partsOf(db).at(-1)?.last ?? 0
  const lowest = (): number => Number(db.get('SELECT min(seq) AS seq FROM audit')?.['seq'] ?? last + 1)
  if (lowest() > last) return
  const writer = openBackgroundWriter(file)
  try {
    for (let from = lowest(); from <= last; from += DELETE_AT_ONCE) await writer.exec(`DELETE FROM audit WHERE seq < ${Math.min(from + DELETE_AT_ONCE, last + 1)}`)
  } finally {
    writer.close()
  }
}

function removeAbandoned(to: string): void {
  const folder = dirname(to)
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    if (name.startsWith(basename(to).slice(0, -12)) && name.includes(MAKING) && Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()) > ABANDONED_MS) rmSync(path, { force: true })
  }
}
