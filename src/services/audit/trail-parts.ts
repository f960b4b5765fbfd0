/**
 * Where the rows of a trail are: its newest in the file that processes write, older ones in archives beside it, each
 * named after its last row. One chain goes through all of them.
 */

import { existsSync } from 'node:fs'
import { type Database, openDatabase } from '../../exits/disk/database.ts'
import { type StoredEntry, unpacked } from './packed-rows.ts'
import { SELECT_ENTRIES, SELECT_PARTS, storedOf, textOf, versionOf } from './trail-schema.ts'

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
    first: Number(row['first']), last: Number(row['last']), prev: textOf(row['prev']), begin: textOf(row['begin']), hash: textOf(row['hash']),
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

/** Rows of the table that are read at once, and the text after which fewer are: one may hold some hundred rows of the trail. */
const [FIRST_PAGE, LARGEST_PAGE, PAGE_CHARS] = [4, 64, 200_000]

const LAST_SEQ = 9_223_372_036_854_775_807n

export interface PagesOf {
  /** Left out, as is all before it. */
  readonly after: number
  /** The last one wanted; to the end unless given. */
  readonly upTo?: number
  /** Begins at the newest. */
  readonly down?: boolean
}

/** What this file itself holds, page by page. */
export function* pagesOf(db: Database, { after, upTo, down = false }: PagesOf): Generator<readonly StoredEntry[], undefined> {
  const sql = `${SELECT_ENTRIES} WHERE seq > ? AND seq <= ? ORDER BY seq ${down ? 'DESC' : 'ASC'} LIMIT ?`
  let [from, to, rows]: [number, number | bigint, number] = [after, upTo ?? LAST_SEQ, FIRST_PAGE]
  for (;;) {
    const page = db.all(sql, from, to, rows).map(storedOf)
    const last = page.at(-1)
    if (last === undefined) return
    yield page
    if (down) to = last.head.seq - 1
    else from = last.head.seq
    const chars = page.reduce((sum, { body }) => sum + body.length, 0)
    rows = chars > PAGE_CHARS ? Math.max(1, rows >> 1) : Math.min(LARGEST_PAGE, rows * 2)
  }
}

/** Rows behind a sequence number that this file itself holds, from the next one on, or from the newest one down. */
export function rowsHere(db: Database, { seq, limit }: Stretch, down = false): readonly StoredEntry[] {
  const rows: StoredEntry[] = []
  if (limit <= 0) return rows
  for (const page of pagesOf(db, { after: seq, down })) {
    for (const stored of page) {
      const here = unpacked(stored).filter(({ head }) => head.seq > seq)
      rows.push(...(down ? here.reverse() : here))
      if (rows.length >= limit) return rows.slice(0, limit)
    }
  }
  return rows
}

/** The next rows, wherever they are. Rows of an archive that was taken away are passed over. */
export function rowsBehind(db: Database, file: string, stretch: Stretch): readonly StoredEntry[] {
  for (const part of partsOf(db).filter(({ last }) => last > stretch.seq)) {
    const opened = openPart(file, part)
    if (opened === undefined) continue
    try {
      return rowsHere(opened, stretch)
    } finally {
      opened.close()
    }
  }
  return rowsHere(db, stretch)
}
