/**
 * Where the rows of a trail are: its newest in the file that processes write, older ones in archives beside it, each
 * named after its last row. One chain goes through all of them.
 */

import { existsSync } from 'node:fs'
import { type Database, openDatabase } from '../../exits/disk/database.ts'
import { type StoredEntry, unpacked } from './packed-rows.ts'
import { SELECT_ENTRIES, SELECT_PARTS, storedOf, versionOf } from './trail-schema.ts'

/** An archive, as the file of the trail remembers it. */
export interface TrailPart {
  readonly first: number
  readonly last: number
  /** What its first row follows. */
  readonly prev: string
  /** Hash of its first row. */
  readonly begin: string
  /** Hash of its last row. */
  readonly hash: string
}

const DIGITS = 12

export const archiveFile = (file: string, { last }: Pick<TrailPart, 'last'>): string => `${file}.${String(last).padStart(DIGITS, '0')}`

/** Archives from the oldest on; none in a file that was written before there were any. */
export function partsOf(db: Database): readonly TrailPart[] {
  if (versionOf(db) < 3) return []
  return db.all(SELECT_PARTS).map((row) => ({
    first: Number(row['first']), last: Number(row['last']), prev: String(row['prev']), begin: String(row['begin']), hash: String(row['hash']),
  }))
}

/** Prev and hash of the first row that the trail ever had. */
export function beginningOf(db: Database): { readonly prev: string; readonly hash: string } | undefined {
  const part = partsOf(db).find((each) => each.first === 1)
  if (part !== undefined) return { prev: part.prev, hash: part.begin }
  const [first] = rowsHere(db, { seq: 0, limit: 1 })
  return first?.head.seq === 1 ? { prev: first.prev, hash: first.head.hash } : undefined
}

/** Opens an archive that is there. @throws Error when it is no database. */
export function openPart(file: string, part: TrailPart): Database | undefined {
  const path = archiveFile(file, part)
  return existsSync(path) ? openDatabase(path, { access: 'read' }) : undefined
}

export interface Stretch {
  /** Only rows behind this sequence number. */
  readonly seq: number
  /** Rows at most. */
  readonly limit: number
}

/** Rows of the table that are read at once: each may hold some hundred rows of the trail. */
const AT_ONCE = 100

/** The next rows that this file itself holds. */
function rowsHere(db: Database, { seq, limit }: Stretch): readonly StoredEntry[] {
  const rows: StoredEntry[] = []
  for (let after = seq; rows.length < limit; ) {
    const page = db.all(`${SELECT_ENTRIES} WHERE seq > ? ORDER BY seq LIMIT ?`, after, Math.min(AT_ONCE, limit)).map(storedOf)
    const last = page.at(-1)
    if (last === undefined) break
    for (const row of page.flatMap(unpacked)) if (row.head.seq > seq) rows.push(row)
    after = last.head.seq
  }
  return rows.slice(0, limit)
}

/** The newest rows that this file itself holds, newest first. */
export function newestRows(db: Database, { seq, limit }: Stretch): readonly StoredEntry[] {
  const rows: StoredEntry[] = []
  for (let before = Number.MAX_SAFE_INTEGER; rows.length < limit; ) {
    const page = db.all(`${SELECT_ENTRIES} WHERE seq > ? AND seq < ? ORDER BY seq DESC LIMIT ?`, seq, before, Math.min(AT_ONCE, limit)).map(storedOf)
    const last = page.at(-1)
    if (last === undefined) break
    for (const stored of page) for (const row of [...unpacked(stored)].reverse()) if (row.head.seq > seq) rows.push(row)
    before = last.head.seq
  }
  return rows.slice(0, limit)
}

/** The next rows, wherever they are. Rows of an archive that was taken away are passed over. */
export function rowsBehind(db: Database, file: string, stretch: Stretch): readonly StoredEntry[] {
  const { seq } = stretch
  const here = rowsHere(db, stretch)
  if ((here[0]?.head.seq ?? seq + 1) === seq + 1) return here
  for (const part of partsOf(db).filter(({ last }) => last > seq)) {
    const opened = openPart(file, part)
    if (opened === undefined) continue
    try {
      return rowsHere(opened, stretch)
    } finally {
      opened.close()
    }
  }
  return here
}
