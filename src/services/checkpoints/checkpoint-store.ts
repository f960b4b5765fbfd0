/**
 * What files were before a run changed them, by content, in a folder of our own: no git, no copy of anything that was
 * not touched. Each change is one small record that is on disk before the change is made, so that one which a crash
 * interrupted can be taken back as well.
 */

import { createHash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import type { Jail } from '../../exits/disk/jail.ts'
import { openJail } from '../../exits/disk/jail.ts'
import { ensurePrivateFolder } from '../../exits/disk/private-folder.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Change, Checkpoints, KeptRun } from '../../kernel/ports/checkpoints.ts'
import { Refusal } from '../../kernel/refusal.ts'

/** Runs that are kept; the oldest go first, and what only they needed goes with them. */
export const MAX_RUNS = 200
const HOUR_MS = 3_600_000
const MAX_ENTRIES = 100_000
const RECORD_LIMIT = { maxBytes: 100_000 }
const RUN_FOLDER = /^(\d{15})-([\w-]{1,64})$/
const UNDONE = 'undone.json'

const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** Names that a folder can have; anything else is kept under its digest. */
const runName = (run: string): string => (/^[\w-]{1,64}$/.test(run) ? run : sha256Of(new TextEncoder().encode(run)))

/** Opens its folder with the first change. */
export class CheckpointStore implements Checkpoints {
  readonly #folder: string
  readonly #clock: Pick<Clock, 'now'>
  readonly #begun = new Map<string, { readonly folder: string; next: number }>()
  #jail: Promise<Jail> | undefined

  constructor(folder: string, clock: Pick<Clock, 'now'>) {
    this.#folder = folder
    this.#clock = clock
  }

  /** Keeps bytes under their digest; once, however often. */
  async keep(bytes: Uint8Array): Promise<string> {
    const [jail, sha256] = [await this.#opened(), sha256Of(bytes)]
    const path = placeOf(sha256)
    if ((await jail.look(path)) === undefined) await jail.writeFile(path, bytes, { overwrite: false }).catch(unlessThere)
    return sha256
  }

  async bytes(sha256: string, maxBytes: number): Promise<Uint8Array> {
    const bytes = await (await this.#opened()).readBytes(placeOf(sha256), { maxBytes })
    if (sha256Of(bytes) !== sha256) throw new Error('a checkpoint does not hold what it should')
    return bytes
  }

  async begin(run: string, change: Change): Promise<void> {
    const jail = await this.#opened()
    const place = await this.#runFolder(run, jail)
    const path = `runs/${place.folder}/${String(place.next++).padStart(6, '0')}.json`
    await jail.writeFile(path, encode(change), { overwrite: false })
  }

  /** Newest first. */
  async runs(): Promise<readonly KeptRun[]> {
    const jail = await this.#opened()
    const names = (await jail.list('runs', { maxEntries: MAX_ENTRIES })).map(({ name }) => name).sort().reverse()
    const kept: KeptRun[] = []
    for (const name of names) {
      const [, at, run] = RUN_FOLDER.exec(name) ?? []
      if (at === undefined || run === undefined) continue
      if ((await jail.look(`runs/${name}/${UNDONE}`)) === undefined) kept.push({ run, at: Number(at), folder: name })
    }
    return kept
  }

  /** The changes of a run, the first first. */
  async changes({ folder }: KeptRun): Promise<readonly Change[]> {
    const jail = await this.#opened()
    const names = (await jail.list(`runs/${folder}`, { maxEntries: MAX_ENTRIES })).map(({ name }) => name).filter((name) => /^\d{6}\.json$/.test(name)).sort()
    const changes: Change[] = []
    for (const name of names) changes.push(JSON.parse(await jail.readText(`runs/${folder}/${name}`, RECORD_LIMIT)) as Change)
    return changes
  }

  async markUndone({ folder }: KeptRun): Promise<void> {
    await (await this.#opened()).writeFile(`runs/${folder}/${UNDONE}`, encode({ at: this.#clock.now() }), { overwrite: true })
  }

  async close(): Promise<void> {
    ;(await this.#jail?.catch(() => undefined))?.close()
  }

  #opened(): Promise<Jail> {
    return (this.#jail ??= this.#open())
  }

  async #open(): Promise<Jail> {
    ensurePrivateFolder(this.#folder)
    for (const name of ['runs', 'objects']) mkdirSync(`${this.#folder}/${name}`, { recursive: true, mode: 0o700 })
    return openJail(this.#folder, { allowCredentials: true })
  }

  async #runFolder(run: string, jail: Jail): Promise<{ readonly folder: string; next: number }> {
    const known = this.#begun.get(run)
    if (known) return known
    await this.#prune(jail)
    const made = { folder: `${String(this.#clock.now()).padStart(15, '0')}-${runName(run)}`, next: 0 }
    this.#begun.set(run, made)
    if (this.#begun.size > MAX_RUNS) this.#begun.delete(this.#begun.keys().next().value ?? '')
    return made
  }

  async #prune(jail: Jail): Promise<void> {
    const names = (await jail.list('runs', { maxEntries: MAX_ENTRIES })).map(({ name }) => name).sort()
    if (names.length < MAX_RUNS) return
    for (const name of names.slice(0, names.length - MAX_RUNS + 1)) {
      for (const { name: file } of await jail.list(`runs/${name}`, { maxEntries: MAX_ENTRIES })) await jail.remove(`runs/${name}/${file}`)
      await jail.removeFolder(`runs/${name}`)
    }
    const needed = new Set<string>()
    for (const name of names.slice(names.length - MAX_RUNS + 1)) {
      for (const { before, after } of await this.changes({ run: '', at: 0, folder: name })) for (const image of [before, after]) if (image?.kind === 'file') needed.add(image.sha256)
    }
    for (const { name: two } of await jail.list('objects', { maxEntries: MAX_ENTRIES })) {
      for (const { name: rest } of await jail.list(`objects/${two}`, { maxEntries: MAX_ENTRIES })) if (!needed.has(two + rest)) await this.#removeOld(jail, `objects/${two}/${rest}`)
    }
  }

  /** Another process may have kept it a moment ago for a record that it is about to write. */
  async #removeOld(jail: Jail, path: string): Promise<void> {
    const there = await jail.look(path)
    if (there !== undefined && there.modifiedMs < Date.now() - HOUR_MS) await jail.remove(path)
  }
}

const placeOf = (sha256: string): string => `objects/${sha256.slice(0, 2)}/${sha256.slice(2)}`
const encode = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value))
const unlessThere = (error: unknown): void => {
  if (!(error instanceof Refusal) || error.code !== 'file.exists') throw error
}
