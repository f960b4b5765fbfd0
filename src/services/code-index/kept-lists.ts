/**
 * Lists of common words between two questions. A word that half of all declarations hold costs more to read than all
 * the rest of a search, and questions share such words. Kept for one state of the index, within a bound.
 */

import type { Database } from '../../exits/disk/database.ts'
import type { Postings } from './posting-list.ts'

interface Kept {
  readonly generation: number
  readonly lists: Map<number, Postings>
  postings: number
}

/** Shorter lists are read as quickly as they are looked up. */
const LEAST_POSTINGS = 500
/** Of all lists together; twenty-four bytes each. */
const MAX_POSTINGS = 400_000

const kept = new WeakMap<Database, Kept>()

/** Nobody may change a list that was handed out. */
export function keptList(db: Database, { generation, term }: { readonly generation: number; readonly term: number }, load: () => Postings): Postings {
  let state = kept.get(db)
  if (state?.generation !== generation) kept.set(db, (state = { generation, lists: new Map(), postings: 0 }))
  const known = state.lists.get(term)
  if (known !== undefined) {
    // The one that was asked for last goes last.
    state.lists.delete(term)
    state.lists.set(term, known)
    return known
  }
  const list = load()
  const { length } = list.files
  if (length < LEAST_POSTINGS || length > MAX_POSTINGS) return list
  state.lists.set(term, list)
  state.postings += length
  for (const [oldest, { files }] of state.lists) {
    if (state.postings <= MAX_POSTINGS) break
    state.lists.delete(oldest)
    state.postings -= files.length
  }
  return list
}
