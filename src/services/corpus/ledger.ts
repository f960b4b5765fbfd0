/**
 * What the corpus holds, by size, so that a write need not add up all documents. Its numbers are believed only
 * for paths without a mark: a write marks its path before it touches the file, and a crash leaves the mark.
 */

import type { Database } from '../../exits/disk/database.ts'

export const LEDGER_SCHEMA = `
CREATE TABLE IF NOT EXISTS corpus (
  root TEXT PRIMARY KEY, rule TEXT NOT NULL, used INTEGER NOT NULL, counted_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS document (
  root TEXT NOT NULL, path TEXT NOT NULL, size INTEGER NOT NULL, PRIMARY KEY (root, path)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS mark (
  root TEXT NOT NULL, path TEXT NOT NULL, made_ms INTEGER NOT NULL, PRIMARY KEY (root, path)
) STRICT, WITHOUT ROWID;`

/** An older mark is no longer a write under way; should it be one after all, that write marks again. */
const MARK_LIFE_MS = 30_000

export interface LedgerOptions {
  /** Folder whose documents are counted: one ledger file may serve several. */
  readonly root: string
  /** Says which files count as documents; under another rule they are counted anew. */
  readonly rule: string
}

/** Every method is called within a transaction that holds the write lock. */
export class Ledger {
  readonly #db: Database
  readonly #root: string
  readonly #rule: string

  constructor(db: Database, { root, rule }: LedgerOptions) {
    this.#db = db
    this.#root = root
    this.#rule = rule
  }

  /** When the documents were counted, in milliseconds since 1970-01-01 UTC; undefined if they must be counted. */
  countedMs(): number | undefined {
    const row = this.#db.get('SELECT rule, counted_ms FROM corpus WHERE root = ?', this.#root)
    return row?.['rule'] === this.#rule ? Number(row['counted_ms']) : undefined
  }

  /** Replaces all that was on record. */
  recount(sizes: ReadonlyMap<string, number>, nowMs: number): void {
    const used = [...sizes.values()].reduce((sum, size) => sum + size, 0)
    this.#db.run('DELETE FROM document WHERE root = ?', this.#root)
    for (const [path, size] of sizes) this.#db.run('INSERT INTO document VALUES (?, ?, ?)', this.#root, path, size)
    this.#db.run('INSERT OR REPLACE INTO corpus VALUES (?, ?, ?, ?)', this.#root, this.#rule, used, nowMs)
  }

  used(): number {
    return Number(this.#db.get('SELECT used FROM corpus WHERE root = ?', this.#root)?.['used'] ?? 0)
  }

  /** Puts the size of one document on record; undefined for one that is not there. */
  settle(path: string, size: number | undefined): void {
    const before = this.#db.get('SELECT size FROM document WHERE root = ? AND path = ?', this.#root, path)?.['size']
    if (size === undefined) this.#db.run('DELETE FROM document WHERE root = ? AND path = ?', this.#root, path)
    else this.#db.run('INSERT OR REPLACE INTO document VALUES (?, ?, ?)', this.#root, path, size)
    this.#db.run('UPDATE corpus SET used = used + ? WHERE root = ?', (size ?? 0) - Number(before ?? 0), this.#root)
  }

  mark(path: string, nowMs: number): void {
    this.#db.run('INSERT OR REPLACE INTO mark VALUES (?, ?, ?)', this.#root, path, nowMs)
  }

  marked(): readonly string[] {
    return this.#db.all('SELECT path FROM mark WHERE root = ?', this.#root).map(({ path }) => String(path))
  }

  unmark(path: string): void {
    this.#db.run('DELETE FROM mark WHERE root = ? AND path = ?', this.#root, path)
  }

  unmarkOld(nowMs: number): void {
    const sql = 'DELETE FROM mark WHERE root = ? AND (made_ms < ? OR made_ms > ?)'
    this.#db.run(sql, this.#root, nowMs - MARK_LIFE_MS, nowMs)
  }
}
