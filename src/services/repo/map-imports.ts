/** The imports of every file of a walk, resolved against the files that the asker may read, within limits. */

import type { RepoAsker, RepoEdge, RepoImports, RepoLimit } from '../../kernel/ports/repo.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { sourceText, unfit } from './source-text.ts'
import type { Tree } from './tree.ts'
import { Walk, type WalkedFile } from './walk.ts'

/** What imports are resolved against. */
export interface Project {
  /** Every file of the tree, as far as it may be known. */
  readonly files: ReadonlySet<string>
  /** Undefined for what cannot be read. */
  text(path: string): Promise<string | undefined>
}

export interface Link {
  readonly target: string
  readonly status: RepoEdge['status']
}

/** Reads imports without running anything; the composition root passes it in. */
export interface ImportReader {
  /** Whether imports of such a file can be read. */
  reads(path: string): boolean
  open(project: Project): Promise<{ linksOf(path: string, text: string): readonly Link[] }>
}

interface Options {
  readonly asker: RepoAsker
  readonly tree: Tree
  readonly maxAnswerBytes: number
}

/** Files that imports can lead to; those beyond are unknown, and what leads there is unresolved. */
const MAX_PROJECT_FILES = 100_000
/** Read to know where imports lead, and shown to nobody. */
const CONFIGS: ReadonlySet<string> = new Set(['go.mod'])
/** Bytes of one edge besides its strings. */
const EDGE_BYTES = 75

export async function mapImports(walk: Walk, reader: ImportReader, { asker, tree, maxAnswerBytes }: Options): Promise<RepoImports> {
  const all = new Walk(tree, { prefix: '', asker, maxFiles: MAX_PROJECT_FILES, alsoNames: CONFIGS })
  const files = new Set<string>()
  for await (const { path } of all) files.add(path)
  const project = await reader.open({ files, text: (path) => textOf(tree, path, asker) })
  const edges: RepoEdge[] = []
  let [bytes, limit]: [number, RepoLimit | undefined] = [0, undefined]
  for await (const file of walk as AsyncIterable<WalkedFile>) {
    const isRead = reader.reads(file.path)
    if (!isRead) walk.skip('language')
    const text = isRead ? file.text() : undefined
    if (text === undefined) continue
    const links = new Map(project.linksOf(file.path, text).map((link) => [link.target, link]))
    for (const { target, status } of links.values()) {
      bytes += EDGE_BYTES + Buffer.byteLength(file.path) + Buffer.byteLength(target)
      if (!(bytes <= maxAnswerBytes)) limit = 'answer'
      else edges.push({ source: file.path, target, external: status === 'external', status })
    }
    if (limit !== undefined) break
  }
  return { ...walk.stamp(limit ?? all.stamp().truncated), edges }
}

async function textOf(tree: Tree, path: string, asker: RepoAsker): Promise<string | undefined> {
  try {
    const file = await tree.open(path, asker, CONFIGS)
    try {
      const bytes = file.bytes({ maxBytes: tree.options.maxFileBytes })
      return unfit(bytes) === undefined ? sourceText(bytes) : undefined
    } finally {
      file.close()
    }
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}
