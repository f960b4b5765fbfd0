/** Opens a trail for looking at it: nothing is created, nothing can be changed. */

import { statSync } from 'node:fs'
import { type Database, openDatabase } from '../../exits/disk/database.ts'
import { holdsTrail } from './trail-schema.ts'

/**
 * Opens a trail, or nothing when there is none yet: no file, or one whose writer has not finished its tables.
 * @throws Error when the file is not a database, a trail of another version, or where nobody may look: that is not none.
 */
export function openReader(file: string): Database | undefined {
  if (statSync(file, { throwIfNoEntry: false }) === undefined) return undefined
  const db = openDatabase(file, { access: 'read' })
  try {
    if (holdsTrail(db)) return db
  } catch (error) {
    db.close()
    throw error
  }
  db.close()
  return undefined
}
