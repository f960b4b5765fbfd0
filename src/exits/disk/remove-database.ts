/** Removes an embedded database with the files that SQLite keeps beside it. */

import { rmSync } from 'node:fs'

/**
 * Removes the file, its log and its shared memory; what is missing is no error. Who has it open goes on with the
 * removed one, and sees by `stale()` that it should not. @throws Error with a system code (`EACCES`, `EISDIR`).
 */
export function removeDatabase(file: string): void {
  // The database goes first: a log beside no database is dropped by SQLite, a database without its log is broken.
  for (const ending of ['', '-wal', '-shm', '-journal']) rmSync(`${file}${ending}`, { force: true })
}
