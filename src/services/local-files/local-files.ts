/**
 * The `LocalFiles` port: jailed folders under the operator's path policy. Every change is written down before it is
 * made, so that it can be taken back, and is made only while what a person saw still stands there.
 */

import { createHash } from 'node:crypto'
import { isUtf8 } from 'node:buffer'
import type { Standing } from '../../exits/disk/jail-port.ts'
import type { Change, Checkpoints, Image } from '../../kernel/ports/checkpoints.ts'
import { onlyPlaceOf } from '../../kernel/only-place.ts'
import type { Changed, ChangeHow, LocalEntry, LocalFiles, LocalLimits, LocalMatch, LocalText, LocalUse } from '../../kernel/ports/local-files.ts'
import { refusal } from '../../kernel/refusal.ts'
import { absolute, Ground } from './ground.ts'
import type { GroundOptions, Spot } from './ground.ts'
import { TreeWalk } from './tree-walk.ts'
import type { TreeTools } from './tree-walk.ts'

export interface LocalFilesOptions extends GroundOptions {
  readonly checkpoints: Checkpoints
  /** Larger files are not returned as text. */
  readonly maxReadBytes: number
  /** Larger files are neither copied nor changed: each change is kept whole until it cannot be undone any more. */
  readonly maxChangeBytes: number
  readonly tools: TreeTools
}

export interface OpenLocalFiles extends LocalFiles {
  /** Where what was kept can be put back by the same rules. */
  readonly ground: Ground
  close(): Promise<void>
}

const ABSENT = 'absent'
const MAX_LISTED = 2_000
const OWNER_ONLY = 0o600
const NOTHING: Image = { kind: 'absent' }
const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

interface Plan extends ChangeHow {
  readonly spot: Spot
  readonly after: Image
}

class LocalFolders implements OpenLocalFiles {
  readonly ground: Ground
  readonly #options: LocalFilesOptions
  /** One change at a time: what is written down must be what stands there when it is made. */
  #last: Promise<unknown> = Promise.resolve()

  constructor(options: LocalFilesOptions) {
    this.#options = options
    this.ground = new Ground(options)
  }

  async places(path: string, use: LocalUse): Promise<readonly string[]> {
    return this.ground.places(path, use)
  }

  async exists(path: string): Promise<boolean> {
    const { jail, path: below } = await this.ground.spot(path, 'read')
    return (await jail.look(below)) !== undefined
  }

  async read(path: string): Promise<LocalText> {
    const spot = await this.ground.spot(path, 'read')
    return this.#textAt(spot, this.#options.maxReadBytes)
  }

  async list(path: string): Promise<{ readonly path: string; readonly entries: readonly LocalEntry[]; readonly truncated: boolean }> {
    const { jail, path: below, above } = await this.ground.spot(path, 'read')
    const { names } = await jail.stat(below)
    const shown: LocalEntry[] = []
    for (const { name, kind } of await jail.list(below, { maxEntries: 100_000 })) {
      if (this.#options.judge([...names, name], 'read', above)) continue
      if (shown.length === MAX_LISTED) return { path: absolute([...above, ...names]), entries: shown, truncated: true }
      const size = kind === 'file' ? ((await jail.look([...names, name].join('/')).catch(() => undefined))?.size ?? 0) : 0
      shown.push({ name, kind, size })
    }
    return { path: absolute([...above, ...names]), entries: shown, truncated: false }
  }

  async find(path: string, pattern: string, limits: LocalLimits): Promise<{ readonly paths: readonly string[]; readonly truncated: boolean }> {
    return (await this.#walk(path, limits)).find(pattern)
  }

  async search(path: string, query: string, limits: LocalLimits): Promise<{ readonly matches: readonly LocalMatch[]; readonly truncated: boolean }> {
    return (await this.#walk(path, limits)).search(query)
  }

  async write(path: string, text: string, how: ChangeHow): Promise<Changed> {
    return this.#inTurn(() => this.#put(path, new TextEncoder().encode(text), how))
  }

  async edited(path: string, oldText: string, newText: string): Promise<LocalText> {
    const found = await this.read(path)
    const at = onlyPlaceOf(oldText, found.text)
    if (at === undefined) throw refusal('edit.mismatch', 'read the file, and give enough of the text around it to be found once')
    return { ...found, text: found.text.slice(0, at) + newText + found.text.slice(at + oldText.length) }
  }

  async edit(path: string, oldText: string, newText: string, how: ChangeHow): Promise<Changed> {
    return this.#inTurn(async () => {
      const { text, sha256 } = await this.edited(path, oldText, newText)
      if (how.agreedTo !== undefined && how.agreedTo !== sha256) throw refusal('file.changed', 'make the call again')
      return this.#put(path, new TextEncoder().encode(text), { ...how, agreedTo: sha256 })
    })
  }

  async copy(source: string, target: string, how: ChangeHow): Promise<Changed> {
    return this.#inTurn(async () => {
      const from = await this.ground.spot(source, 'read')
      const { bytes, mode } = await this.#bytesAt(from)
      return this.#put(target, bytes, how, mode & 0o777)
    })
  }

  async move(source: string, target: string, how: ChangeHow): Promise<Changed> {
    return this.#inTurn(async () => {
      const [from, to] = [await this.ground.spot(source, 'delete'), await this.ground.spot(target, 'write')]
      await this.ground.places(source, 'delete')
      const readable = this.#options.judge(from.path.split('/'), 'read', from.above)
      if (readable) throw readable
      const before = await this.#image(from)
      const there = await this.#image(to)
      if (before.kind === 'absent') throw refusal('file.unavailable')
      this.#checkAgreed(there, how)
      if (from.jail !== to.jail) throw refusal('path.outside', 'a file is moved within one allowed folder: copy it, then delete it', 'root')
      await this.#begin({ ...how, spot: to, after: before }, there)
      await this.#begin({ ...how, spot: from, after: NOTHING }, before)
      await to.jail.rename(from.path, to.path, { overwrite: there.kind === 'file' })
      return { path: placeOf(to), replaced: there.kind === 'file', size: before.kind === 'file' ? before.size : 0 }
    })
  }

  async remove(path: string, how: ChangeHow): Promise<{ readonly path: string }> {
    return this.#inTurn(async () => {
      await this.ground.places(path, 'delete')
      const spot = await this.ground.spot(path, 'delete')
      const before = await this.#image(spot)
      if (before.kind === 'absent') throw refusal('file.unavailable')
      if (how.agreedTo !== undefined && before.kind === 'file') this.#checkAgreed(before, how)
      await this.#begin({ ...how, spot, after: NOTHING }, before)
      await spot.jail.remove(spot.path)
      return { path: placeOf(spot) }
    })
  }

  async close(): Promise<void> {
    await this.#last.catch(() => undefined)
    await this.ground.close()
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#last.then(work, work)
    this.#last = mine.catch(() => undefined)
    return mine
  }

  /** Through a link to a file, the file itself is written: the link stays. */
  async #put(path: string, bytes: Uint8Array, how: ChangeHow, mode?: number): Promise<Changed> {
    const written = await this.ground.spot(path, 'write')
    if (bytes.length > this.#options.maxChangeBytes) throw refusal('file.too-large')
    const spot = await this.#behindLink(written)
    const before = await this.#image(spot)
    this.#checkAgreed(before, how)
    if (before.kind === 'link') throw refusal('file.unavailable', undefined, 'links')
    const bits = before.kind === 'file' ? before.mode & 0o777 : (mode ?? OWNER_ONLY)
    await this.#begin({ ...how, spot, after: { kind: 'file', sha256: sha256Of(bytes), size: bytes.length, mode: bits } }, before)
    await spot.jail.writeFile(spot.path, bytes, { overwrite: before.kind === 'file', mode: bits })
    return { path: placeOf(spot), replaced: before.kind === 'file', size: bytes.length }
  }

  async #behindLink(spot: Spot): Promise<Spot> {
    if ((await spot.jail.look(spot.path))?.kind !== 'link') return spot
    const real = await this.ground.real(spot)
    return real === undefined ? spot : this.ground.spot(real, 'write')
  }

  /** Nothing is replaced that nobody agreed to, and nothing else than what they saw. */
  #checkAgreed(there: Image, { agreedTo }: ChangeHow): void {
    if (there.kind === 'absent') {
      if (agreedTo !== undefined && agreedTo !== ABSENT) throw refusal('file.changed', 'make the call again')
    } else if (agreedTo === undefined || agreedTo === ABSENT) throw refusal('file.exists')
    else if (there.kind === 'file' && there.sha256 !== agreedTo) throw refusal('file.changed', 'make the call again')
  }

  async #begin({ run, spot, after }: Plan, before: Image): Promise<void> {
    if (before.kind === 'file') await this.#options.checkpoints.keep((await this.#bytesAt(spot)).bytes)
    const change: Change = { path: placeOf(spot), before, after, made: after.kind === 'absent' ? [] : await missingFolders(spot) }
    await this.#options.checkpoints.begin(run, change)
  }

  async #image(spot: Spot): Promise<Image> {
    return imageOf(spot, await spot.jail.look(spot.path), this.#options.maxChangeBytes)
  }

  async #bytesAt({ jail, path }: Spot): Promise<{ readonly bytes: Uint8Array; readonly mode: number }> {
    const { names } = await jail.stat(path)
    const mode = (await jail.look(names.join('/')))?.mode ?? OWNER_ONLY
    return { bytes: await jail.readBytes(path, { maxBytes: this.#options.maxChangeBytes }), mode }
  }

  async #textAt(spot: Spot, maxBytes: number): Promise<LocalText> {
    const file = await spot.jail.openForRead(spot.path)
    try {
      const bytes = file.bytes({ maxBytes })
      if (!isUtf8(bytes)) throw refusal('content.encoding', 'only UTF-8 text is read')
      return { path: absolute([...spot.above, ...file.names]), text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes), sha256: sha256Of(bytes) }
    } finally {
      file.close()
    }
  }

  async #walk(path: string, limits: LocalLimits): Promise<TreeWalk> {
    const spot = await this.ground.spot(path, 'read')
    const { names, kind } = await spot.jail.stat(spot.path)
    if (kind !== 'folder') throw refusal('file.unavailable', 'name a folder', 'kind')
    return new TreeWalk({ folder: names, above: spot.above, judge: this.#options.judge, tools: this.#options.tools, limits })
  }
}

/** What stands at a place now. @throws Refusal `file.unavailable` for what no change can be undone of. */
export async function imageOf({ jail, path }: Spot, there: Standing | undefined, maxBytes: number): Promise<Image> {
  if (there === undefined) return NOTHING
  if (there.kind === 'link') return { kind: 'link', target: there.target ?? '' }
  if (there.kind !== 'file') throw refusal('file.unavailable', 'only files are changed', 'kind')
  const bytes = await jail.readBytes(path, { maxBytes })
  return { kind: 'file', sha256: sha256Of(bytes), size: bytes.length, mode: there.mode }
}

const placeOf = ({ above, path }: Spot): string => absolute([...above, ...path.split('/')])

async function missingFolders({ jail, path, above }: Spot): Promise<readonly string[]> {
  const names = path.split('/').slice(0, -1)
  const missing: string[] = []
  for (let depth = names.length; depth > 0; depth -= 1) {
    if ((await jail.look(names.slice(0, depth).join('/'))) !== undefined) break
    missing.unshift(absolute([...above, ...names.slice(0, depth)]))
  }
  return missing
}

export const createLocalFiles = (options: LocalFilesOptions): OpenLocalFiles => new LocalFolders(options)

