/** Remembers what was used in a database of the data directory, so that every process over it, now and later, knows. */

import type { Clock } from '../../kernel/clock.ts'
import type { Nonces } from '../../kernel/limits.ts'
import type { Database } from '../../exits/disk/database.ts'

const PRUNE_EVERY = 1_000
/** What is over is kept for a while: a clock that was ahead and is set back must not make it good again. */
const SPARE_MS = 86_400_000

/** @param open called by the first use: a server that never asks anything needs no database for it. */
export function createKeptNonces(open: () => Database, clock: Pick<Clock, 'now'>): Nonces {
  let db: Database | undefined
  let uses = 0

  const opened = (): Database => {
    if (db) return db
    db = open()
    db.exec('CREATE TABLE IF NOT EXISTS nonces (id TEXT PRIMARY KEY, until_ms INTEGER NOT NULL) WITHOUT ROWID')
    return db
  }

  return {
    use(id, untilMs) {
      const nonces = opened()
      if (uses++ % PRUNE_EVERY === 0) nonces.run('DELETE FROM nonces WHERE until_ms <= ?', clock.now() - SPARE_MS)
      return nonces.run('INSERT OR IGNORE INTO nonces (id, until_ms) VALUES (?, ?)', id, Math.ceil(untilMs)).changes === 1
    },
    used: (id) => opened().get('SELECT 1 AS used FROM nonces WHERE id = ?', id) !== undefined,
  }
}
