/** Steps over an embedded database: nothing is waited for, so they are over within one transaction. */

import type { Steps, StoreAnswer, StoreStatement } from '../../kernel/ports/store.ts'
import type { Database, SqlValue } from './database.ts'

const NO_ROWS: StoreAnswer['rows'] = []

function answer(db: Database, { sql, values, gives }: StoreStatement): StoreAnswer {
  // Lists are for servers alone.
  const plain = values as readonly SqlValue[]
  if (gives === 'rows') return { rows: db.all(sql, ...plain), changes: 0 }
  return { rows: NO_ROWS, changes: db.run(sql, ...plain).changes }
}

/** @throws what the work throws, and errors of the database. */
export function runSteps<T>(db: Database, steps: Steps<T>): T {
  let next = steps.next()
  while (next.done !== true) {
    let given: StoreAnswer
    try {
      given = answer(db, next.value)
    } catch (error) {
      next = steps.throw(error)
      continue
    }
    next = steps.next(given)
  }
  return next.value
}
