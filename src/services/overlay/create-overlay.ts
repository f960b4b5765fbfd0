/** The `Overlay` port over the jail of a workspace: what is written lands aside, and is put in place only where nothing else came in between. */

import { isUtf8 } from 'node:buffer'
import type { Database } from '../../exits/disk/database.ts'
import type { Jail } from '../../exits/disk/jail.ts'
import type { AppliedChange, Overlay, OverlayChange } from '../../kernel/ports/overlay.ts'
import { Refusal, refusal } from '../../kernel/refusal.ts'
import { ABSENT, createOverlayStore, digestOf } from './overlay-store.ts'
import type { KeptChange } from './overlay-store.ts'

export interface OverlayOptions {
  readonly openDatabase: () => Database
  readonly jail: () => Promise<Jail>
  /** Absolute; it is kept as a digest. */
  readonly workspace: string
  /** The one spelling of a path. @throws Refusal `path.invalid`. */
  plainPath(path: string): string
  /** Whether a path may be changed at all. Asked of the path as it is written and of the real one, when it is written and when it is applied. */
  mayWrite(path: string): boolean
  readonly maxFiles?: number
  readonly maxBytes?: number
}

export interface OpenOverlay extends Overlay {
  close(): Promise<void>
}

const [MAX_FILES, MAX_BYTES] = [2_000, 100_000_000]
const LIMIT = { maxBytes: 20_000_000 }

const isMissing = (error: unknown): boolean => error instanceof Refusal && error.code === 'file.unavailable'
/** Something stands there that is no file of one name: to take it for nothing would be to write over it. */
const isNoFile = (error: unknown): boolean => error instanceof Refusal && (error.reason === 'kind' || error.reason === 'hard-link')
const textOf = (bytes: Uint8Array | undefined): string | undefined => (bytes !== undefined && isUtf8(bytes) ? new TextDecoder().decode(bytes) : undefined)

const described = ({ path, base, bytes }: KeptChange): OverlayChange =>
  ({ path, kind: bytes === undefined ? 'removed' : base === ABSENT ? 'created' : 'replaced', size: bytes?.length ?? 0 })

export function createOverlay({ openDatabase, jail, workspace, plainPath, mayWrite, maxFiles = MAX_FILES, maxBytes = MAX_BYTES }: OverlayOptions): OpenOverlay {
  const store = createOverlayStore(openDatabase, workspace)
  let held: Promise<Jail> | undefined
  const opened = (): Promise<Jail> => (held ??= jail())

  /** What stands in the workspace itself; undefined for nothing. @throws Refusal for what may not be looked at. */
  const below = async (path: string): Promise<Uint8Array | undefined> => {
    try {
      return await (await opened()).readBytes(path, LIMIT)
    } catch (error) {
      if (isMissing(error) && !isNoFile(error)) return undefined
      throw error
    }
  }
  /** Where a path really leads: links between folders are followed. */
  const realPath = async (path: string): Promise<string> => {
    const names = path.split('/')
    for (let depth = names.length - 1; depth > 0; depth -= 1) {
      try {
        return [...(await (await opened()).stat(names.slice(0, depth).join('/'))).names, ...names.slice(depth)].join('/')
      } catch (error) {
        if (!isMissing(error)) throw error
      }
    }
    return path
  }
  const isOpen = async (path: string): Promise<boolean> => mayWrite(path) && mayWrite(await realPath(path))
  const checked = async (raw: string): Promise<string> => {
    const path = plainPath(raw)
    if (!(await isOpen(path))) throw refusal('access.denied')
    return path
  }
  const put = async (path: string, bytes: Uint8Array | undefined): Promise<void> => {
    const known = store.get(path)
    const base = known?.base ?? digestOf(await below(path))
    const others = store.all().filter((change) => change.path !== path)
    const size = others.reduce((sum, change) => sum + (change.bytes?.length ?? 0), bytes?.length ?? 0)
    if (others.length >= maxFiles || size > maxBytes) throw refusal('overlay.full', 'apply or discard what is kept')
    // Back to what stands there is no change.
    if (digestOf(bytes) === base) store.drop(path)
    else store.put({ path, base, bytes })
  }
  const made = async (change: KeptChange): Promise<AppliedChange['outcome']> => {
    try {
      if (!(await isOpen(change.path))) return 'refused'
      if (digestOf(await below(change.path)) !== change.base) return 'changed'
      const place = await opened()
      if (change.bytes === undefined) await place.remove(change.path)
      else await place.writeFile(change.path, change.bytes, { overwrite: change.base !== ABSENT })
      return 'applied'
    } catch (error) {
      if (error instanceof Refusal) return error.code === 'file.exists' ? 'changed' : 'refused'
      throw error
    }
  }

  return {
    async read(raw) {
      const path = plainPath(raw)
      const change = store.get(path)
      const bytes = change ? change.bytes : await below(path)
      if (bytes === undefined) throw refusal('file.unavailable')
      return bytes
    },
    write: async (raw, bytes) => put(await checked(raw), bytes),
    async remove(raw) {
      const path = await checked(raw)
      const change = store.get(path)
      if ((change ? change.bytes : await below(path)) === undefined) throw refusal('file.unavailable')
      await put(path, undefined)
    },
    changes: async () => store.all().map(described),
    async texts(raw) {
      const path = plainPath(raw)
      const before = await below(path)
      const change = store.get(path)
      return { before: textOf(before), after: textOf(change ? change.bytes : before) }
    },
    async apply() {
      const done: AppliedChange[] = []
      for (const change of store.all()) {
        const outcome = await made(change)
        if (outcome === 'applied') store.drop(change.path)
        done.push({ ...described(change), outcome })
      }
      return done
    },
    async discard() {
      const all = store.all()
      for (const { path } of all) store.drop(path)
      return all.length
    },
    async close() {
      store.close()
      ;(await held?.catch(() => undefined))?.close()
    },
  }
}
