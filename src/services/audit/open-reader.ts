/** Opens a trail for looking at it: nothing is created, nothing can be changed. */

import { existsSync } from 'node:fs'
import { type Database, openDatabase } from '../../exits/disk/database.ts'
import { holdsTrail } from './trail-schema.ts'

/**
 * Opens a trail, or nothing when there is none yet: no file, or one whose writer has not finished its tables.
 * @throws Error when the file is not a database, or a trail of another version.
 */
export function openReader(file: string): Database | undefined {
  if (!existsSync(file)) return undefined
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
