import type { Database } from '../../exits/disk/database.ts'

/** Before every write, so that what has ended neither counts nor stays. */
export function removeExpired(db: Database, nowMs: number): void {
  db.run('DELETE FROM value WHERE expires_ms <= ?', nowMs)
}
