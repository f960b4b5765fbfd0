/** Finding and searching below a folder: bounded, without following links, and blind to what may not be read. */

import { openFolderScan } from '../../exits/disk/folder-scan.ts'
import type { ScannedFile } from '../../exits/disk/folder-scan-port.ts'
import type { LocalLimits, LocalMatch } from '../../kernel/ports/local-files.ts'
import type { UnreadText } from '../../kernel/ports/texts.ts'
import { Refusal, refusal } from '../../kernel/refusal.ts'
import { absolute } from './ground.ts'
import type { GroundOptions } from './ground.ts'

/** What is passed in: patterns are policy's, and texts are searched as documents are. */
export interface TreeTools {
  /** @throws Refusal `input.invalid` for a pattern that cannot be read. */
  pattern(text: string): (names: readonly string[]) => boolean
  search(source: AsyncIterable<UnreadText>, query: string, limits: LocalLimits): Promise<{ readonly matches: readonly { readonly path: string; readonly line: number; readonly snippet: string }[]; readonly truncated: boolean }>
}

export interface TreeOptions extends Pick<GroundOptions, 'judge'> {
  /** From the allowed folder, without links. */
  readonly folder: readonly string[]
  readonly above: readonly string[]
  readonly tools: TreeTools
  readonly limits: LocalLimits
}

const MAX_NAMES = 200_000
const MAX_TEXT_BYTES = 2_000_000
/** Folders that hold what nobody wrote. */
const SKIPPED: ReadonlySet<string> = new Set(['.git', 'node_modules', '.cache', '__pycache__', '.venv'])

export class TreeWalk {
  readonly #options: TreeOptions

  constructor(options: TreeOptions) {
    this.#options = options
  }

  async find(text: string): Promise<{ readonly paths: readonly string[]; readonly truncated: boolean }> {
    const { tools, limits, above } = this.#options
    const fits = tools.pattern(text)
    const paths: string[] = []
    const ended = this.#each((file, names) => {
      if (!fits(names)) return true
      if (paths.length >= limits.maxResults) return false
      paths.push(absolute([...above, ...file.path.split('/')]))
      return true
    })
    return { paths, truncated: ended !== 'done' }
  }

  async search(query: string): Promise<{ readonly matches: readonly LocalMatch[]; readonly truncated: boolean }> {
    const { tools, limits, above } = this.#options
    const found = await tools.search(this.#texts(), query, limits)
    return { ...found, matches: found.matches.map((match) => ({ ...match, path: absolute([...above, ...match.path.split('/')]) })) }
  }

  async *#texts(): AsyncGenerator<UnreadText> {
    const { tools, limits, folder } = this.#options
    const fits = limits.pattern === undefined ? undefined : tools.pattern(limits.pattern)
    for (const file of this.#files()) if (fits?.(file.path.split('/').slice(folder.length)) !== false) yield { path: file.path, size: file.size, read: () => file.bytes({ maxBytes: MAX_TEXT_BYTES }) }
  }

  #each(take: (file: ScannedFile, names: readonly string[]) => boolean): 'done' | 'stopped' | 'names' {
    const { folder, limits } = this.#options
    try {
      for (const file of this.#files()) {
        if (limits.signal.aborted) throw limits.signal.reason instanceof Refusal ? limits.signal.reason : refusal('call.cancelled')
        if (!take(file, file.path.split('/').slice(folder.length))) return 'stopped'
      }
      return 'done'
    } catch (error) {
      if (error instanceof Refusal && error.code === 'file.too-large') return 'names'
      throw error
    }
  }

  *#files(): Generator<ScannedFile> {
    const { folder, above, judge } = this.#options
    const scan = openFolderScan(absolute(above))
    const split = (path: string): readonly string[] => (path === '' ? [] : path.split('/'))
    try {
      yield* scan.files(folder.length === 0 ? '' : `${folder.join('/')}/`, {
        maxNames: MAX_NAMES,
        enters: ({ path }) => {
          const names = split(path)
          return names.length <= folder.length || (!SKIPPED.has(names.at(-1) ?? '') && judge(names, 'read', above) === undefined)
        },
        wants: (name, within) => judge([...split(within), name], 'read', above) === undefined,
      })
    } finally {
      scan.close()
    }
  }
}
