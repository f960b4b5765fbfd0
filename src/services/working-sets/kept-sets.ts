/** Working sets in a database: every process over it sees them, and they outlive it. It is a file of the data directory, or a server. */

import type { Database } from '../../exits/disk/database.ts'
import { runSteps } from '../../exits/disk/run-steps.ts'
import { all, get, run } from '../../kernel/ports/store.ts'
import type { Steps, Store } from '../../kernel/ports/store.ts'
import { SOURCE_KINDS } from '../../kernel/ports/sources.ts'
import type { PinnedItem, WorkingSet, WorkingSets } from '../../kernel/ports/working-sets.ts'
import { checkTexts, full, itemTexts, missing, ownerKey } from './set-rules.ts'
import type { WorkingSetLimits } from './set-rules.ts'

const SCHEMA = `
CREATE TABLE IF NOT EXISTS working_sets (
  owner TEXT NOT NULL, name TEXT NOT NULL,
  PRIMARY KEY (owner, name)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS working_set_items (
  place INTEGER PRIMARY KEY, owner TEXT NOT NULL, name TEXT NOT NULL,
  kind TEXT NOT NULL, identifier TEXT NOT NULL, note TEXT NOT NULL,
  UNIQUE (owner, name, kind, identifier),
  FOREIGN KEY (owner, name) REFERENCES working_sets (owner, name) ON DELETE CASCADE
)`

const HAS_SET = 'SELECT 1 FROM working_sets WHERE owner = ? AND name = ?'
const ADD_SET = 'INSERT INTO working_sets (owner, name) VALUES (?, ?)'
const OWN_SETS = 'SELECT count(*) AS n FROM working_sets WHERE owner = ?'
const ALL_SETS = 'SELECT count(*) AS n FROM working_sets'
const DROP_EMPTY = `DELETE FROM working_sets WHERE owner = ? AND NOT EXISTS (
  SELECT 1 FROM working_set_items i WHERE i.owner = working_sets.owner AND i.name = working_sets.name)`
const ITEMS = 'SELECT kind, identifier, note FROM working_set_items WHERE owner = ? AND name = ? ORDER BY place'
const COUNT = 'SELECT count(*) AS n FROM working_set_items WHERE owner = ? AND name = ?'
const COUNT_ALL = 'SELECT count(*) AS n FROM working_set_items'
const PUT = `INSERT INTO working_set_items (owner, name, kind, identifier, note) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (owner, name, kind, identifier) DO UPDATE SET note = excluded.note`
const TAKE = 'DELETE FROM working_set_items WHERE owner = ? AND name = ? AND kind = ? AND identifier = ?'
const TAKE_ALL = 'DELETE FROM working_set_items WHERE owner = ? AND name = ?'

/** Closes its database; nothing is opened before the first use. */
export interface OpenWorkingSets extends WorkingSets {
  close(): Promise<void>
}

type Use = <T>(mode: 'read' | 'write', work: () => Steps<T>) => Promise<T>

/** @param open called by the first use, and again when the file was taken away. */
export function createSqliteSets(open: () => Database, limits: WorkingSetLimits): OpenWorkingSets {
  let held: Database | undefined
  const opened = (): Database => {
    if (held !== undefined && !held.stale()) return held
    held?.close()
    held = open()
    held.exec(SCHEMA)
    return held
  }
  const use: Use = async (mode, work) => {
    const db = opened()
    return db.transaction(mode === 'write' ? 'immediate' : 'deferred', () => runSteps(db, work()))
  }
  return {
    ...setsOver(use, limits),
    async close() {
      held?.close()
      held = undefined
    },
  }
}

/** Bounds hold for all owners together, so whoever writes sets on a server writes alone. */
export const createServerSets = (store: Store, limits: WorkingSetLimits): WorkingSets =>
  setsOver((mode, work) => store.use(mode, work, mode === 'write' ? 'sets' : undefined), limits)

const setsOver = (use: Use, limits: WorkingSetLimits): WorkingSets => ({
  get: (owner, name) => use('read', () => existing(ownerKey(owner), name)),
  async pin(owner, name, items) {
    checkTexts(name, ...itemTexts(items))
    return use('write', () => pinned({ limits, owner: ownerKey(owner), name }, items))
  },
  unpin: (owner, name, refs) => use('write', () => change({ owner: ownerKey(owner), name }, function* (key) {
    for (const { kind, identifier } of refs) if (!identifier.includes('\0')) yield* run(TAKE, key, name, kind, identifier)
  })),
  clear: (owner, name) => use('write', () => change({ owner: ownerKey(owner), name }, function* (key) {
    yield* run(TAKE_ALL, key, name)
  })),
})

interface Named {
  readonly owner: string
  readonly name: string
}

function* change({ owner, name }: Named, work: (owner: string) => Steps<void>): Steps<WorkingSet> {
  yield* existing(owner, name)
  yield* work(owner)
  return yield* itemsOf(owner, name)
}

/** A library may cut a text at U+0000, and a server takes none, so a name that holds one is nobody's. */
function* existing(owner: string, name: string): Steps<WorkingSet> {
  if (name.includes('\0') || (yield* get(HAS_SET, owner, name)) === undefined) throw missing()
  return yield* itemsOf(owner, name)
}

interface Pinning extends Named {
  readonly limits: WorkingSetLimits
}

function* pinned({ limits, owner, name }: Pinning, items: readonly PinnedItem[]): Steps<WorkingSet> {
  if ((yield* get(HAS_SET, owner, name)) === undefined) {
    if ((yield* number(OWN_SETS, owner)) >= limits.maxSets) yield* run(DROP_EMPTY, owner)
    if ((yield* number(OWN_SETS, owner)) >= limits.maxSets) throw full('sets')
    if ((yield* number(ALL_SETS)) >= limits.maxAllSets) throw full('server')
    yield* run(ADD_SET, owner, name)
  }
  for (const { kind, identifier, note } of items) yield* run(PUT, owner, name, kind, identifier, note)
  // Counted afterwards, so that items that were there already take no place; the transaction takes all back.
  if ((yield* number(COUNT, owner, name)) > limits.maxItems) throw full('items')
  if ((yield* number(COUNT_ALL)) > limits.maxAllItems) throw full('server')
  return yield* itemsOf(owner, name)
}

function* number(sql: string, ...values: readonly string[]): Steps<number> {
  return Number((yield* get(sql, ...values))?.['n'] ?? 0)
}

function* itemsOf(owner: string, name: string): Steps<WorkingSet> {
  const rows = yield* all(ITEMS, owner, name)
  return {
    name,
    items: rows.flatMap(({ kind, identifier, note }) => {
      const known = SOURCE_KINDS.find((one) => one === kind)
      return known === undefined ? [] : [{ kind: known, identifier: String(identifier), note: String(note) }]
    }),
  }
}
