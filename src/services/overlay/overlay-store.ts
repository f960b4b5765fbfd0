/** The kept changes of one workspace, in a database of the data directory: no file of the workspace is touched by it. */

import { createHash } from 'node:crypto'
import type { Database, SqlRow } from '../../exits/disk/database.ts'

const SCHEMA = `
CREATE TABLE IF NOT EXISTS overlay (
  workspace TEXT NOT NULL, path TEXT NOT NULL,
  base TEXT NOT NULL, data BLOB,
  PRIMARY KEY (workspace, path)
) STRICT, WITHOUT ROWID`

/** Stands for the digest of a place where nothing is. */
export const ABSENT = 'absent'

export const digestOf = (bytes: Uint8Array | undefined): string => (bytes === undefined ? ABSENT : createHash('sha256').update(bytes).digest('hex'))

export interface KeptChange {
  readonly path: string
  /** Digest of what stood there when the first change was made, or `absent`. */
  readonly base: string
  /** Undefined where the file would be gone. */
  readonly bytes: Uint8Array | undefined
}

export interface OverlayStore {
  get(path: string): KeptChange | undefined
  put(change: KeptChange): void
  drop(path: string): void
  all(): readonly KeptChange[]
  close(): void
}

const bytesIn = (data: unknown): Uint8Array | undefined =>
  data === null || data === undefined ? undefined : data instanceof ArrayBuffer ? new Uint8Array(data) : (data as Uint8Array)

const changeOf = (row: SqlRow): KeptChange => ({ path: String(row['path']), base: String(row['base']), bytes: bytesIn(row['data']) })

/** @param open called by the first use, and again when the file was taken away. */
export function createOverlayStore(open: () => Database, workspace: string): OverlayStore {
  const key = createHash('sha256').update(workspace).digest('hex')
  let held: Database | undefined
  const opened = (): Database => {
    if (held !== undefined && !held.stale()) return held
    held?.close()
    held = open()
    held.exec(SCHEMA)
    return held
  }
  return {
    get(path) {
      const row = opened().get('SELECT path, base, data FROM overlay WHERE workspace = ? AND path = ?', key, path)
      return row && changeOf(row)
    },
    put: ({ path, base, bytes }) => void opened().run('INSERT INTO overlay VALUES (?, ?, ?, ?) ON CONFLICT (workspace, path) DO UPDATE SET data = excluded.data', key, path, base, bytes ?? null),
    drop: (path) => void opened().run('DELETE FROM overlay WHERE workspace = ? AND path = ?', key, path),
    all: () => opened().all('SELECT path, base, data FROM overlay WHERE workspace = ? ORDER BY path', key).map(changeOf),
    close() {
      held?.close()
      held = undefined
    },
  }
}
