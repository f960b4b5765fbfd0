/**
 * The `TreeFiles` port over the jailed files of one folder: paths from that folder go in and come out. Where changes are
 * kept aside, they are what is read, found and searched, and the folder stays as it is.
 */

import { isUtf8 } from 'node:buffer'
import { onlyPlaceOf } from '../../kernel/only-place.ts'
import type { ChangeHow, LocalEntry, LocalFiles } from '../../kernel/ports/local-files.ts'
import type { Overlay } from '../../kernel/ports/overlay.ts'
import type { TreeEdit, TreeFiles, TreeLimits, TreeMatch, TreeText, TreeWritten } from '../../kernel/ports/tree-files.ts'
import { Refusal, refusal } from '../../kernel/refusal.ts'

export interface TreeFilesOptions {
  readonly files: LocalFiles
  /** The folder, absolute and without links. */
  readonly root: string
  /** Where changes are kept aside. @default they are made */
  readonly aside?: Overlay | undefined
  /** Of files that a call of this tool reached, those that it may show. */
  shown(tool: string, paths: readonly string[]): Promise<readonly string[]>
  /** Takes credentials out of the text of a file, line for line. */
  clean(text: string): Promise<string>
  /** @throws Refusal `input.invalid` for a pattern that cannot be read. */
  pattern(text: string): (names: readonly string[]) => boolean
}

const MAX_SNIPPET = 300
const isKind = (error: unknown): boolean => error instanceof Refusal && error.code === 'file.unavailable' && error.reason === 'kind'
const isMissing = (error: unknown): boolean => error instanceof Refusal && error.code === 'file.unavailable' && error.reason !== 'kind' && error.reason !== 'hard-link'

export function createTreeFiles(options: TreeFilesOptions): TreeFiles {
  return new JailedTree(options)
}

class JailedTree implements TreeFiles {
  readonly #options: TreeFilesOptions

  constructor(options: TreeFilesOptions) {
    this.#options = options
  }

  async read(path: string): Promise<TreeText> {
    const { path: place, text } = await this.#textOf(path)
    return { path: place, text: await this.#options.clean(text) }
  }

  async list(path: string): ReturnType<TreeFiles['list']> {
    const { files, aside, shown } = this.#options
    const place = await this.#place(path, 'read')
    const added = aside === undefined ? new Map<string, LocalEntry | undefined>() : await entriesAside(aside, place)
    const there = await files.list(path).catch((error: unknown) => {
      if (isMissing(error) && [...added.values()].some((entry) => entry !== undefined)) return { entries: [], truncated: false }
      throw error
    })
    const merged = [...there.entries.filter(({ name }) => !added.has(name)), ...[...added.values()].filter((entry) => entry !== undefined)]
    const inside = (name: string): string => (place === '.' ? name : `${place}/${name}`)
    const open = new Set(await shown('ls', merged.map(({ name }) => inside(name))))
    return { path: place, entries: merged.filter(({ name }) => open.has(inside(name))), truncated: there.truncated }
  }

  async find(path: string, pattern: string, limits: TreeLimits): ReturnType<TreeFiles['find']> {
    const { files, shown } = this.#options
    const changed = await this.#changedBelow(path, pattern)
    const { paths, truncated } = await this.#orNothing(changed, files.find(path, pattern, limits), { paths: [], truncated: false })
    const merged = [...paths.map((one) => this.#below(one)).filter((one) => !changed.has(one)), ...written(changed)].slice(0, limits.maxResults)
    return { paths: await shown('glob', merged), truncated }
  }

  async search(path: string, query: string, { pattern, ...limits }: Parameters<TreeFiles['search']>[2]): ReturnType<TreeFiles['search']> {
    const { files, shown } = this.#options
    const changed = await this.#changedBelow(path, pattern ?? '**')
    try {
      const found = await this.#orNothing(changed, files.search(path, query, { ...limits, pattern }), { matches: [], truncated: false })
      const there = found.matches.map((match) => ({ ...match, path: this.#below(match.path) })).filter((match) => !changed.has(match.path))
      const aside: TreeMatch[] = []
      for (const one of written(changed)) aside.push(...linesWith(await this.read(one), query))
      const all = [...there, ...aside]
      const open = new Set(await shown('grep', [...new Set(all.map((match) => match.path))]))
      return { matches: all.filter((match) => open.has(match.path)).slice(0, limits.maxResults), truncated: found.truncated || all.length > limits.maxResults }
    } catch (error) {
      if (!isKind(error)) throw error
      const matches = linesWith(await this.read(path), query)
      return { matches: matches.slice(0, limits.maxResults), truncated: matches.length > limits.maxResults }
    }
  }

  async write(path: string, text: string, run: string): Promise<TreeWritten> {
    const { files, aside } = this.#options
    if (aside !== undefined) return this.#keep(path, text)
    const agreedTo = await files.read(path).then(({ sha256 }) => sha256, (error: unknown) => {
      if (isMissing(error)) return undefined
      throw error
    })
    return this.#put(path, text, { run, agreedTo })
  }

  async edit(path: string, edits: readonly TreeEdit[], run: string): Promise<TreeWritten> {
    const { text, sha256 } = await this.#textOf(path)
    const after = edited(text, edits)
    return this.#options.aside === undefined ? this.#put(path, after, { run, agreedTo: sha256 }) : this.#keep(path, after)
  }

  /** As it is, for what is done with it here. */
  async #textOf(path: string): Promise<TreeText & { readonly sha256: string | undefined }> {
    const { files, aside } = this.#options
    if (aside === undefined) {
      const { path: found, text, sha256 } = await files.read(path)
      return { path: this.#below(found), text, sha256 }
    }
    const place = await this.#place(path, 'read')
    const bytes = await aside.read(place)
    if (!isUtf8(bytes)) throw refusal('content.encoding', 'only UTF-8 text is read')
    return { path: place, text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes), sha256: undefined }
  }

  async #put(path: string, text: string, how: ChangeHow): Promise<TreeWritten> {
    const { path: at, ...rest } = await this.#options.files.write(path, text, how)
    return { ...rest, path: this.#below(at) }
  }

  /** Writes aside, by the name under which the file is read back. */
  async #keep(path: string, text: string): Promise<TreeWritten> {
    const { aside } = this.#options
    const [place, bytes] = [await this.#place(path, 'write'), new TextEncoder().encode(text)]
    const replaced = await aside?.read(place).then(() => true, (error: unknown) => {
      if (isMissing(error)) return false
      throw error
    })
    await aside?.write(place, bytes)
    return { path: place, replaced: replaced === true, size: bytes.length }
  }

  /** The path as the walls of the files spell it, from the folder. */
  async #place(path: string, use: 'read' | 'write'): Promise<string> {
    return this.#below((await this.#options.files.places(path, use)).at(-1) ?? '')
  }

  #below(path: string): string {
    const { root } = this.#options
    if (path === root) return '.'
    if (!path.startsWith(`${root}/`)) throw refusal('path.outside')
    return path.slice(root.length + 1)
  }

  /** Files below a folder that were changed aside, and whether each would still be there. */
  async #changedBelow(path: string, pattern: string): Promise<ReadonlyMap<string, boolean>> {
    const { aside } = this.#options
    if (aside === undefined) return new Map()
    const place = await this.#place(path, 'read')
    const [fits, start] = [this.#options.pattern(pattern), place === '.' ? '' : `${place}/`]
    const below = (await aside.changes()).filter((change) => change.path.startsWith(start))
    return new Map(below.map((change) => [change.path, change.kind !== 'removed' && fits(change.path.slice(start.length).split('/'))]))
  }

  /** A folder that only exists aside is none to the files below. */
  async #orNothing<T>(changed: ReadonlyMap<string, boolean>, work: Promise<T>, nothing: T): Promise<T> {
    try {
      return await work
    } catch (error) {
      if (changed.size > 0 && isMissing(error)) return nothing
      throw error
    }
  }
}

const written = (changed: ReadonlyMap<string, boolean>): readonly string[] => [...changed].filter(([, isThere]) => isThere).map(([path]) => path)

/** What changes aside put right into a folder: undefined for a name that would be gone. */
async function entriesAside(aside: Overlay, place: string): Promise<ReadonlyMap<string, LocalEntry | undefined>> {
  const start = place === '.' ? '' : `${place}/`
  const found = new Map<string, LocalEntry | undefined>()
  for (const { path, kind, size } of await aside.changes()) {
    if (!path.startsWith(start)) continue
    const [name = '', ...deeper] = path.slice(start.length).split('/')
    if (deeper.length === 0) found.set(name, kind === 'removed' ? undefined : { name, kind: 'file', size })
    else if (kind === 'created' && !found.has(name)) found.set(name, { name, kind: 'folder', size: 0 })
  }
  return found
}

function linesWith({ path, text }: TreeText, query: string): readonly TreeMatch[] {
  const wanted = query.toLowerCase()
  return text.split('\n').flatMap((line, at) => {
    const column = line.toLowerCase().indexOf(wanted)
    if (column < 0) return []
    return [{ path, line: at + 1, snippet: line.slice(Math.max(0, column - MAX_SNIPPET / 3), column + MAX_SNIPPET) }]
  })
}

function edited(text: string, edits: readonly TreeEdit[]): string {
  return edits.reduce((now, { oldText, newText }) => {
    const at = onlyPlaceOf(oldText, now)
    if (at === undefined) throw refusal('edit.mismatch', 'read the file, and give enough of the text around it to be found once')
    return now.slice(0, at) + newText + now.slice(at + oldText.length)
  }, text)
}
