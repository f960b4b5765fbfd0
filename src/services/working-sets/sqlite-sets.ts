/** Working sets in a database of the data directory: every process over it sees them, and they outlive it. */

import type { Database } from '../../exits/disk/database.ts'
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
  return {
    get: async (owner, name) => opened().transaction('deferred', () => existing(opened(), ownerKey(owner), name)),
    pin: async (owner, name, items) => {
      checkTexts(name, ...itemTexts(items))
      const db = opened()
      return db.transaction('immediate', () => pinned({ db, limits, owner: ownerKey(owner), name }, items))
    },
    unpin: async (owner, name, refs) => change(opened(), { owner: ownerKey(owner), name }, (db, key) => {
      for (const { kind, identifier } of refs) if (!identifier.includes('\0')) db.run(TAKE, key, name, kind, identifier)
    }),
    clear: async (owner, name) => change(opened(), { owner: ownerKey(owner), name }, (db, key) => void db.run(TAKE_ALL, key, name)),
    async close() {
      held?.close()
      held = undefined
    },
  }
}

interface Named {
  readonly owner: string
  readonly name: string
}

const change = (db: Database, { owner, name }: Named, work: (db: Database, owner: string) => void): WorkingSet =>
  db.transaction('immediate', () => {
    existing(db, owner, name)
    work(db, owner)
    return itemsOf(db, owner, name)
  })

/** The library cuts a text at U+0000, so a name that holds one would find another set. */
function existing(db: Database, owner: string, name: string): WorkingSet {
  if (name.includes('\0') || db.get(HAS_SET, owner, name) === undefined) throw missing()
  return itemsOf(db, owner, name)
}

interface Pinning extends Named {
  readonly db: Database
  readonly limits: WorkingSetLimits
}

function pinned({ db, limits, owner, name }: Pinning, items: readonly PinnedItem[]): WorkingSet {
  if (db.get(HAS_SET, owner, name) === undefined) {
    if (number(db, OWN_SETS, owner) >= limits.maxSets) db.run(DROP_EMPTY, owner)
    if (number(db, OWN_SETS, owner) >= limits.maxSets) throw full('sets')
    if (number(db, ALL_SETS) >= limits.maxAllSets) throw full('server')
    db.run(ADD_SET, owner, name)
  }
  for (const { kind, identifier, note } of items) db.run(PUT, owner, name, kind, identifier, note)
  // Counted afterwards, so that items that were there already take no place; the transaction takes all back.
  if (number(db, COUNT, owner, name) > limits.maxItems) throw full('items')
  if (number(db, COUNT_ALL) > limits.maxAllItems) throw full('server')
  return itemsOf(db, owner, name)
}

const number = (db: Database, sql: string, ...values: readonly string[]): number => Number(db.get(sql, ...values)?.['n'] ?? 0)

const itemsOf = (db: Database, owner: string, name: string): WorkingSet => ({
  name,
  items: db.all(ITEMS, owner, name).flatMap(({ kind, identifier, note }) => {
    const known = SOURCE_KINDS.find((one) => one === kind)
    return known === undefined ? [] : [{ kind: known, identifier: String(identifier), note: String(note) }]
  }),
})
