/**
 * Checks a trail from its first row to its head, archives and all, and names the first row that is not as it was written.
 * Rows are read in pages of one snapshot, so writers go on and memory stays bounded.
 */

import type { Database } from '../../exits/disk/database.ts'
import type { TrailHead } from '../../kernel/audit.ts'
import { parseRow } from './canonical-row.ts'
import { type AuditKey, createHashChain, type HashChain } from './hash-chain.ts'
import { openReader } from './open-reader.ts'
import { type StoredEntry, unpacked } from './packed-rows.ts'
import { openPart, pagesOf, partsOf, type TrailPart } from './trail-parts.ts'
import { headOf, SELECT_HEAD } from './trail-schema.ts'

/**
 * `altered`: the row's content or hash was changed. `removed`: no row has this number. `reordered`: the row was
 * moved here or inserted. `truncated`: rows are missing at the end. `anchor`: the row differs from a head that was
 * noted elsewhere, as after a rebuilt chain. `key`: the trail was begun with another key, or with none.
 * `unreadable`: the file is no trail of this version, or cannot be read from this row on.
 */
export type TrailProblem = 'altered' | 'removed' | 'reordered' | 'truncated' | 'anchor' | 'key' | 'unreadable'

/** Effects begun and not finished: still running, or cut off, so that their outcome is unknown. */
export interface OpenIntents {
  readonly count: number
  /** The oldest of them, 1,000 at most. */
  readonly ids: readonly string[]
}

export type TrailVerdict =
  | {
      readonly ok: true
      readonly rows: number
      readonly head: TrailHead | undefined
      readonly openIntents: OpenIntents
    }
  /** `seq` is the first bad row, `rows` how many before it are good. */
  | { readonly ok: false; readonly problem: TrailProblem; readonly seq: number; readonly rows: number }

export interface VerifyTrailOptions {
  readonly file: string
  readonly key?: AuditKey
  /** Heads noted outside the file, such as in log lines. Only they show a rebuilt chain or a tail cut with its head. */
  readonly anchors?: readonly TrailHead[]
  /** Told now and then, and at the end: rows done, of all. */
  readonly onRows?: (done: number, total: number) => void
}

const TELL_EVERY = 1_000
const MAX_IDS = 1_000
const NO_ROWS: TrailVerdict = { ok: true, rows: 0, head: undefined, openIntents: { count: 0, ids: [] } }

/** Verifies a trail. Blocks the thread for some 5 µs a row. Never throws for what the file holds. */
export function verifyTrail({ file, key, anchors = [], onRows = () => {} }: VerifyTrailOptions): TrailVerdict {
  const walk = new Walk({ key, anchors, onRows })
  let db: Database | undefined
  try {
    const opened = openReader(file)
    // No trail is a whole trail of no rows, unless somebody noted that there were some.
    if (opened === undefined) return anchors.length > 0 ? walk.bad('truncated', 1) : NO_ROWS
    db = opened
    return opened.transaction('deferred', () => walk.run(opened, file))
  } catch {
    return walk.bad('unreadable', walk.last.seq + 1)
  } finally {
    db?.close()
  }
}

/** One pass over a trail; `last` is the newest good row. */
class Walk {
  last: TrailHead
  readonly #chain: HashChain
  readonly #anchors: readonly TrailHead[]
  readonly #open = new Set<string>()
  readonly #onRows: (done: number, total: number) => void
  #total = 0
  #told = 0
  #nextAnchor = 0

  constructor({ key, anchors, onRows }: { readonly key: AuditKey | undefined; readonly anchors: readonly TrailHead[]; readonly onRows: (done: number, total: number) => void }) {
    this.#onRows = onRows
    this.#chain = createHashChain(key)
    this.#anchors = [...anchors].sort((a, b) => a.seq - b.seq)
    this.last = { seq: 0, hash: this.#chain.genesis }
  }

  bad(problem: TrailProblem, seq: number): TrailVerdict {
    return { ok: false, problem, seq, rows: Math.max(seq - 1, 0) }
  }

  run(db: Database, file: string): TrailVerdict {
    const early = db.get('SELECT seq FROM audit WHERE seq < 1 ORDER BY seq LIMIT 1')
    if (early !== undefined) return this.bad('reordered', Number(early['seq']))
    this.#total = headOf(db.get(SELECT_HEAD))?.seq ?? 0
    for (const part of partsOf(db)) {
      const verdict = this.#archived(file, part) ?? this.#leftOver(db, part)
      if (verdict !== undefined) return verdict
    }
    return this.#rows(db) ?? this.#atEnd(headOf(db.get(SELECT_HEAD)))
  }

  #rows(db: Database): TrailVerdict | undefined {
    for (const page of pagesOf(db, { after: this.last.seq })) {
      for (const stored of page) {
        const verdict = this.#stored(db, stored)
        if (verdict !== undefined) return verdict
      }
      this.#tell(TELL_EVERY)
    }
    return this.#tell(1)
  }

  #tell(every: number): undefined {
    if (this.last.seq < this.#told + every) return
    this.#told = this.last.seq
    this.#onRows(this.#told, this.#total)
  }

  /** A file that is gone is rows that are gone. */
  #archived(file: string, part: TrailPart): TrailVerdict | undefined {
    if (part.first !== this.last.seq + 1) return this.bad('removed', this.last.seq + 1)
    const db = openPart(file, part)
    if (db === undefined) return this.bad('removed', part.first)
    try {
      const verdict = this.#rows(db)
      if (verdict !== undefined) return verdict
    } finally {
      db.close()
    }
    if (this.last.seq < part.last) return this.bad('removed', this.last.seq + 1)
    return this.last.seq > part.last ? this.bad('reordered', part.last + 1) : this.last.hash === part.hash ? undefined : this.bad('altered', part.last)
  }

  /** Rows that are archived and still in the file are what the archive says, as far as they are there. */
  #leftOver(db: Database, part: TrailPart): TrailVerdict | undefined {
    let expected: string | undefined
    let seq = part.first - 1
    for (const page of pagesOf(db, { after: seq, upTo: part.last })) {
      for (const { head, prev, body } of page.flatMap(unpacked)) {
        if ((expected ?? prev) !== prev || (expected !== undefined && head.seq !== seq + 1) || this.#chain.hashOf(prev, head.seq, body) !== head.hash) return this.bad('altered', head.seq)
        ;[expected, seq] = [head.hash, head.seq]
      }
    }
    return expected === undefined || (seq === part.last && expected === part.hash) ? undefined : this.bad('altered', seq)
  }

  /** Rows that were written together hold together, so numbers that do not fit show where one of them is gone. */
  #stored(db: Database, stored: StoredEntry): TrailVerdict | undefined {
    const rows = unpacked(stored)
    const [first = stored] = rows
    const [expected, follows] = [this.last.seq + 1, stored.prev === this.last.hash]
    const fits = first.head.seq === expected
    if (!fits && (!follows || rows.length === 1)) return this.bad('removed', expected)
    if (!follows) return this.#brokenLink(db, first)
    for (const { head, prev, body } of rows) {
      const verdict = this.#step({ prev, body, head: { seq: this.last.seq + 1, hash: head.hash } })
      if (verdict !== undefined) return fits ? verdict : this.bad(first.head.seq > expected ? 'removed' : 'reordered', this.last.seq + 1)
    }
    return fits ? undefined : this.bad('reordered', expected)
  }

  #step({ head, prev, body }: StoredEntry): TrailVerdict | undefined {
    const expected = head.seq
    const row = this.#chain.hashOf(prev, expected, body) === head.hash ? parseRow(body) : undefined
    if (row === undefined) return this.bad('altered', expected)
    for (let anchor = this.#anchors[this.#nextAnchor]; anchor !== undefined; anchor = this.#anchors[this.#nextAnchor]) {
      if (anchor.seq > expected) break
      if (anchor.seq !== expected || anchor.hash !== head.hash) return this.bad('anchor', anchor.seq)
      this.#nextAnchor += 1
    }
    if (row.outcome === 'intent') this.#open.add(row.id)
    else this.#open.delete(row.id)
    this.last = head
    return undefined
  }

  /** The row follows another hash than that of the row before it: which of the two was touched? */
  #brokenLink(db: Database, { head, prev, body }: StoredEntry): TrailVerdict {
    const { seq, hash } = head
    const elsewhere = db.get('SELECT seq FROM audit WHERE hash = ? AND seq <> ? LIMIT 1', prev, seq)
    if (elsewhere !== undefined) return this.bad('reordered', seq)
    // Whole but for its link: somebody wrote over the link.
    if (this.#chain.hashOf(this.last.hash, seq, body) === hash) return this.bad('altered', seq)
    // Whole with its link: the row before it was rewritten, with a new hash.
    if (seq > 1 && this.#chain.hashOf(prev, seq, body) === hash) return this.bad('altered', seq - 1)
    return this.bad(seq === 1 ? 'key' : 'altered', seq)
  }

  #atEnd(head: TrailHead | undefined): TrailVerdict {
    const { seq, hash } = this.last
    const anchor = this.#anchors[this.#nextAnchor]
    if (head === undefined ? seq > 0 : head.seq > seq) return this.bad('truncated', seq + 1)
    if (head !== undefined && head.seq < seq) return this.bad('reordered', head.seq + 1)
    if (head !== undefined && head.hash !== hash) return this.bad('altered', seq)
    if (anchor !== undefined) return this.bad(anchor.seq > seq ? 'truncated' : 'anchor', Math.min(anchor.seq, seq + 1))
    const ids = [...this.#open].slice(0, MAX_IDS)
    const newest = seq === 0 ? undefined : this.last
    return { ok: true, rows: seq, head: newest, openIntents: { count: this.#open.size, ids } }
  }
}
