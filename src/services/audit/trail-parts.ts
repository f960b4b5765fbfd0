/**
 * Where the rows of a trail are: its newest in the file that processes write, older ones in archives beside it, each
 * named after its last row. One chain goes through all of them.
 */

import { existsSync } from 'node:fs'
import { type Database, openDatabase, type SqlRow } from '../../exits/disk/database.ts'
import { SELECT_ENTRIES, SELECT_PARTS } from './trail-schema.ts'

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
  if (Number(db.get('PRAGMA user_version')?.['user_version']) < 3) return []
  return db.all(SELECT_PARTS).map((row) => ({
    first: Number(row['first']), last: Number(row['last']), prev: String(row['prev']), begin: String(row['begin']), hash: String(row['hash']),
  }))
}

/** Prev and hash of the first row that the trail ever had. */
export function beginningOf(db: Database): { readonly prev: string; readonly hash: string } | undefined {
  const first = db.get(`${SELECT_ENTRIES} WHERE seq = 1`)
  if (first !== undefined) return { prev: String(first['prev']), hash: String(first['hash']) }
  const part = partsOf(db).find((each) => each.first === 1)
  return part && { prev: part.prev, hash: part.begin }
}

/** Opens an archive that is there. @throws Error when it is no database. */
export function openPart(file: string, part: TrailPart): Database | undefined {
  const path = archiveFile(file, part)
  return existsSync(path) ? openDatabase(path, { access: 'read' }) : undefined
}

/** The next rows behind a sequence number, wherever they are. Rows of an archive that was taken away are passed over. */
export function rowsBehind(db: Database, file: string, { seq, limit }: { readonly seq: number; readonly limit: number }): readonly SqlRow[] {
  const sql = `${SELECT_ENTRIES} WHERE seq > ? ORDER BY seq LIMIT ?`
  const here = db.all(sql, seq, limit)
  if (Number(here[0]?.['seq'] ?? seq + 1) === seq + 1) return here
  for (const part of partsOf(db).filter(({ last }) => last > seq)) {
    const opened = openPart(file, part)
    if (opened === undefined) continue
    try {
      return opened.all(sql, seq, limit)
    } finally {
      opened.close()
    }
  }
  return here
}
