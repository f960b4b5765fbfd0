/**
 * Writes within a quota. The ledger is exact after every write, whoever else writes and whoever is killed: a path
 * is marked and the mark is on disk before its file is touched, the file is written while the ledger is locked,
 * and whoever finds a mark believes the file and not the record.
 */

import { setImmediate as othersTurn } from 'node:timers/promises'
import type { FolderScan } from '../../exits/disk/folder-scan.ts'
import type { Jail } from '../../exits/disk/jail.ts'
import type { Clock } from '../../kernel/clock.ts'
import { Refusal, refusal } from '../../kernel/refusal.ts'
import type { WriteMode, Written } from '../../kernel/ports/corpus.ts'
import type { DocumentNames } from './document-path.ts'
import { Ledger } from './ledger.ts'
import { openDocument, sha256Of, sizeOf } from './opened-document.ts'
import { checkGoingOn, type WriteLock } from './write-lock.ts'

export interface AccountsOptions {
  readonly jail: Jail
  readonly scan: FolderScan
  readonly lock: WriteLock
  readonly names: DocumentNames
  readonly quotaBytes: number
  /** Names looked at when documents are counted; a corpus with more takes no writes. */
  readonly maxNames: number
  /** Documents that people put there or took away are noticed after this time at the latest. */
  readonly recountAfterMs: number
  readonly clock: Pick<Clock, 'now'>
  readonly onStep: () => void
}

export interface Draft {
  /** In the spelling that counts, and known to be a document's. */
  readonly path: string
  readonly bytes: Uint8Array
  readonly mode: WriteMode
  /** The most that is read to tell what stands there. */
  readonly maxBytes: number
}

/** A private file this old belongs to a write that was killed. */
const STALE_DRAFT_MS = 3_600_000
/** Files counted between two turns of the event loop. */
const COUNTED_AT_ONCE = 256

export class Accounts {
  readonly #options: AccountsOptions
  #last: Promise<unknown> = Promise.resolve()

  constructor(options: AccountsOptions) {
    this.#options = options
  }

  /** @throws Refusal `file.exists`, `file.changed`, `corpus.full` or what the signal stands for. */
  write(draft: Draft): Promise<Written> {
    const { path, mode: { signal } } = draft
    return this.#inTurn(async () => {
      checkGoingOn(signal)
      for (;;) {
        await this.#locked(async (ledger) => ledger.mark(path, this.#options.clock.now()), signal)
        const outcome = await this.#locked((ledger) => this.#writeMarked(ledger, draft), signal)
        if (outcome instanceof Refusal) throw outcome
        if (outcome !== 'mark-is-gone') return outcome
      }
    })
  }

  used(): Promise<number> {
    return this.#inTurn(() => this.#locked(async (ledger) => {
      await this.#believeMarkedFiles(ledger)
      return ledger.used()
    }))
  }

  async close(): Promise<void> {
    await this.#last
    this.#options.lock.close()
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work)
    this.#last = turn.catch(() => undefined)
    return turn
  }

  #locked<T>(work: (ledger: Ledger) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const { lock, scan, names } = this.#options
    return lock.hold(async (db) => {
      const ledger = new Ledger(db, { root: scan.root, rule: names.extensions.join(' ') })
      await this.#count(ledger)
      return work(ledger)
    }, signal)
  }

  /** A refusal is returned, so that what was learnt meanwhile is kept. */
  async #writeMarked(ledger: Ledger, draft: Draft): Promise<Written | Refusal | 'mark-is-gone'> {
    if (!ledger.marked().includes(draft.path)) return 'mark-is-gone'
    const { path, bytes, mode: { overwrite, ifSha256, signal } } = draft
    const { jail, names, quotaBytes, onStep } = this.#options
    await this.#believeMarkedFiles(ledger)
    try {
      const before = await sizeOf(jail, path, names)
      if (before !== undefined && !overwrite) throw refusal('file.exists')
      if (!(ledger.used() - (before ?? 0) + bytes.length <= quotaBytes)) {
        throw refusal('corpus.full', 'write a smaller document, or ask the operator for room')
      }
      if (ifSha256 !== undefined) await this.#mustBe(ifSha256, draft)
      onStep()
      checkGoingOn(signal)
      await jail.writeFile(path, bytes, { overwrite })
      onStep()
      ledger.settle(path, bytes.length)
      ledger.unmark(path)
      return { path, size: bytes.length, replaced: before !== undefined }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      ledger.settle(path, await sizeOf(jail, path, names))
      ledger.unmark(path)
      return error
    }
  }

  async #mustBe(sha256: string, { path, maxBytes }: Draft): Promise<void> {
    const { jail, names } = this.#options
    const file = await openDocument(jail, path, names)
    try {
      if (sha256Of(file.bytes({ maxBytes })) !== sha256) throw refusal('file.changed')
    } catch (error) {
      throw error instanceof Refusal && error.code !== 'file.changed' ? refusal('file.changed') : error
    } finally {
      file.close()
    }
  }

  /** Nobody else is writing now, so a marked file is as it stays. */
  async #believeMarkedFiles(ledger: Ledger): Promise<void> {
    const { jail, names, clock } = this.#options
    for (const path of ledger.marked()) ledger.settle(path, await sizeOf(jail, path, names))
    ledger.unmarkOld(clock.now())
  }

  async #count(ledger: Ledger): Promise<void> {
    const { scan, names, maxNames, recountAfterMs, clock } = this.#options
    const now = clock.now()
    const counted = ledger.countedMs()
    if (counted !== undefined && counted <= now && now - counted < recountAfterMs) return
    const sizes = new Map<string, number>()
    const drafts: string[] = []
    const wants = (name: string): boolean => names.matches(name)
    for (const file of scan.files('', { wants, maxNames, onDraft: (path) => drafts.push(path) })) {
      sizes.set(file.path, file.size)
      if (sizes.size % COUNTED_AT_ONCE === 0) await othersTurn()
    }
    ledger.recount(sizes, now)
    for (const path of drafts) await this.#removeStale(path, now)
  }

  async #removeStale(draft: string, now: number): Promise<void> {
    const { jail } = this.#options
    try {
      if ((await jail.stat(draft)).modifiedMs < now - STALE_DRAFT_MS) await jail.remove(draft)
    } catch (error) {
      // Its writer may have taken it away.
      if (!(error instanceof Refusal)) throw error
    }
  }
}
