/**
 * The audit trail in one SQLite file that many processes share. Rows are queued and written in batches, large ones
 * in the background; a trail that fails keeps its rows, says so at most once a minute and tries again.
 */

import type { AuditRow, AuditTrail, TrailHead } from '../../kernel/audit.ts'
import { type Archiver, type ArchiverOptions, createArchiver } from './archive-trail.ts'
import { canonicalRow } from './canonical-row.ts'
import type { AuditKey } from './hash-chain.ts'
import { openTrailStore, type TrailStore } from './trail-store.ts'
import { createTroubles, type TrailTrouble, type Troubles } from './trail-troubles.ts'

export interface SqliteTrailOptions {
  readonly file: string
  /** Makes the chain an HMAC chain. All writers of one file need the same key. */
  readonly key?: AuditKey
  /** Longest wait of an appended row, in milliseconds; 20 unless given. */
  readonly flushMs?: number
  /** Rows per transaction; 256 unless given. */
  readonly batchSize?: number
  /** Rows held in memory; 10,000 unless given. A full queue is written at once, or loses rows while that fails. */
  readonly maxQueued?: number
  /** When older rows go to archives; all stay in one file unless given. */
  readonly archive?: Pick<ArchiverOptions, 'maxBytes' | 'keepRows'> | undefined
  /** Told of a failing trail, at most once a minute. */
  readonly onError: (error: unknown, trouble: TrailTrouble) => void
}

const RETRY_MS = 1_000
/** Rows from which on a batch is worth the way to another thread and back. */
const MIN_BACKGROUND = 16

/**
 * Creates a trail. The file is opened by the first write. Timers do not keep the process alive, so whoever ends
 * it calls `close`, which writes what is queued. Only `write` rejects: an outcome that cannot be recorded must not
 * turn an effect that happened into a failed call, so `flush` and `close` tell `onError` alone.
 * @throws TypeError for an empty key.
 */
export function createSqliteTrail(options: SqliteTrailOptions): AuditTrail {
  if (options.key?.length === 0) throw new TypeError('the audit key is empty')
  return new SqliteTrail(options)
}

class SqliteTrail implements AuditTrail {
  readonly #options: Required<Omit<SqliteTrailOptions, 'key'>> & { readonly key?: AuditKey }
  readonly #queue: AuditRow[] = []
  /** The end of a batch in the background, which never rejects. Its rows are not in the queue. */
  #flying: Promise<void> | undefined
  #store: TrailStore | undefined
  #head: TrailHead | undefined
  #timer: NodeJS.Timeout | undefined
  #immediate: NodeJS.Immediate | undefined
  #failing = false
  #closed = false
  readonly #troubles: Troubles
  readonly #archiver: Archiver | undefined

  constructor(options: SqliteTrailOptions) {
    this.#options = { flushMs: 20, batchSize: 256, maxQueued: 10_000, archive: undefined, ...options }
    this.#troubles = createTroubles(options.onError, () => this.#queue.length)
    const { file, archive } = this.#options
    if (archive !== undefined) this.#archiver = createArchiver({ ...archive, file, onError: (error) => this.#troubles.report(error) })
  }

  append(row: AuditRow): void {
    if (this.#closed) {
      this.#troubles.lose(row, new Error('the audit trail is closed'))
      return
    }
    const full = this.#queue.length >= this.#options.maxQueued
    // While failing, only the retry timer tries: each attempt may block for the whole busy timeout.
    if (full && (this.#failing || !this.#tryDrain())) {
      this.#troubles.lose(row, new Error('the audit queue is full'))
      return
    }
    this.#queue.push(row)
    this.#schedule()
  }

  async write(row: AuditRow): Promise<void> {
    if (this.#closed) throw new Error('the audit trail is closed')
    this.#queue.push(row)
    if (this.#flying) await this.#landed()
    try {
      this.#drain()
    } catch (error) {
      const at = this.#queue.lastIndexOf(row)
      // It is on disk; what could not be written came behind it.
      if (at < 0) return
      // The caller learns that this row was not taken, so it must not turn up later.
      this.#queue.splice(at, 1)
      throw error
    }
  }

  head(): TrailHead | undefined {
    return this.#head
  }

  async flush(): Promise<void> {
    if (this.#flying) await this.#landed()
    this.#tryDrain()
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#troubles.unmute()
    if (this.#flying) await this.#landed()
    this.#tryDrain()
    this.#closed = true
    this.#cancelTimers()
    this.#store?.close()
    this.#store = undefined
    await this.#archiver?.close()
  }

  /** @throws the error of the attempt, after reporting it; what was not written stays queued. */
  #drain(): void {
    while (this.#queue.length > 0) {
      if (this.#closed) throw new Error('the audit trail is closed')
      this.#writeBatch()
    }
  }

  /** Whether everything was written; if not, the attempt has reported why. */
  #tryDrain(): boolean {
    try {
      this.#drain()
      return true
    } catch {
      return false
    }
  }

  #writeBatch(): void {
    const rows = this.#queue.slice(0, this.#options.batchSize)
    try {
      const head = this.#openStore().append(rows.map(canonicalRow))
      this.#queue.splice(0, rows.length)
      // The retry timer is a slow one: without it the next row gets the usual delay.
      if (this.#failing) this.#cancelTimers()
      this.#failing = false
      this.#noteHead(head, rows.length)
    } catch (error) {
      this.#fail(error)
      throw error
    }
    this.#archiver?.note(rows.length)
    this.#confessLoss()
  }

  /** Waits for the rows that are in the background, if any. */
  async #landed(): Promise<void> {
    while (this.#flying !== undefined) await this.#flying
  }

  /** Hands a batch to the background. Until it has landed, only a full queue is written beside it. */
  #fly(): void {
    const rows = this.#queue.splice(0, this.#options.batchSize)
    const write = async (): Promise<TrailHead | undefined> => this.#openStore().appendInBackground(rows.map(canonicalRow))
    const back = (): void => {
      this.#flying = undefined
      this.#queue.unshift(...rows)
    }
    this.#flying = write().then(
      (head) => {
        if (head !== undefined) return this.#land(head, rows.length)
        back()
        if (this.#tryDrain()) this.#schedule()
      },
      (error: unknown) => {
        back()
        this.#fail(error)
      },
    )
  }

  #land(head: TrailHead, written: number): void {
    this.#flying = undefined
    this.#archiver?.note(written)
    // A full queue that was written meanwhile has moved on.
    if (head.seq > (this.#head?.seq ?? 0)) this.#head = head
    this.#confessLoss()
    this.#schedule()
  }

  #openStore(): TrailStore {
    if (this.#store?.stale() === true) {
      // A deleted file would go on taking rows that nobody can read.
      this.#store.close()
      this.#store = undefined
    }
    this.#store ??= openTrailStore(this.#options.file, this.#options.key)
    return this.#store
  }

  #noteHead(head: TrailHead, written: number): void {
    const before = this.#head
    this.#head = head
    if (before !== undefined && head.seq < before.seq + written) {
      this.#troubles.report(new Error('the audit trail was cut or replaced while in use'))
    }
  }

  #fail(error: unknown): void {
    this.#failing = true
    this.#store?.close()
    this.#store = undefined
    this.#cancelTimers()
    if (!this.#closed) this.#timer = setTimeout(() => this.#tick(), RETRY_MS).unref()
    this.#troubles.report(error)
  }

  #schedule(): void {
    if (this.#failing || this.#flying !== undefined || this.#queue.length === 0) return
    if (this.#queue.length >= this.#options.batchSize) {
      this.#immediate ??= setImmediate(() => this.#tick()).unref()
    } else {
      this.#timer ??= setTimeout(() => this.#tick(), this.#options.flushMs).unref()
    }
  }

  /** Writes one batch and lets the event loop turn before the next. */
  #tick(): void {
    this.#cancelTimers()
    if (this.#flying !== undefined || this.#queue.length === 0) return
    try {
      if (this.#queue.length >= MIN_BACKGROUND && this.#head !== undefined && !this.#failing) this.#fly()
      else this.#writeBatch()
    } catch {
      return
    }
    this.#schedule()
  }

  /** The trail itself tells where rows are missing that never reached it. */
  #confessLoss(): void {
    const row = this.#troubles.confession()
    if (row === undefined) return
    this.#queue.push(row)
    this.#schedule()
  }

  #cancelTimers(): void {
    clearTimeout(this.#timer)
    clearImmediate(this.#immediate)
    this.#timer = undefined
    this.#immediate = undefined
  }
}
