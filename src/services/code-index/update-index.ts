/** One pass over the files of a tree: what is new is weighed and written in small batches, what is gone is removed. */

import { setImmediate as othersTurn } from 'node:timers/promises'
import type { Clock } from '../../kernel/clock.ts'
import type { CodeSource, CodeUpdate } from '../../kernel/ports/code-index.ts'
import type { IndexFile } from './index-file.ts'
import { isKeptPath, weighFile } from './weigh-file.ts'
import { removeFiles, type WeighedFile, writeFiles } from './write-files.ts'

export interface UpdateDeps {
  readonly file: IndexFile
  readonly clock: Clock
  readonly holdsCredentials: (components: readonly string[]) => boolean
}

type Counts = { -readonly [Key in keyof CodeUpdate]: CodeUpdate[Key] }

/** Whichever comes first ends a batch, so that neither memory nor the time of one transaction grows. */
const [BATCH_FILES, BATCH_POSTINGS] = [256, 60_000]
/** Files between two turns of everybody else. */
const FILES_PER_TURN = 16
const REMOVED_PER_BATCH = 64

interface Pass {
  readonly counts: Counts
  readonly batch: WeighedFile[]
  postings: number
  /** The file was replaced while this pass wrote it: what came before is lost. */
  lost: boolean
}

const startPass = (): Pass => ({
  counts: { indexed: 0, unchanged: 0, removed: 0, refused: 0, incomplete: 0, complete: false }, batch: [], postings: 0, lost: false,
})

function flush({ file }: UpdateDeps, pass: Pass): void {
  if (pass.batch.length === 0) return
  const written = file.use((db) => writeFiles(db, pass.batch))
  if (written === undefined) pass.lost = true
  pass.counts.indexed += written ?? 0
  pass.counts.unchanged += pass.batch.length - (written ?? pass.batch.length)
  pass.batch.length = 0
  pass.postings = 0
}

function remove({ file }: UpdateDeps, pass: Pass, gone: readonly string[]): void {
  const paths = [...new Set(gone)]
  for (let at = 0; at < paths.length; at += REMOVED_PER_BATCH) {
    const removed = file.use((db) => removeFiles(db, paths.slice(at, at + REMOVED_PER_BATCH)))
    if (removed === undefined) pass.lost = true
    pass.counts.removed += removed ?? 0
  }
}

async function weighed(source: CodeSource): Promise<ReturnType<typeof weighFile> | undefined> {
  try {
    return weighFile(source, await source.chunks())
  } catch {
    // A file that cannot be read or parsed is counted, and the others go on. What was known of it is out of date.
    return undefined
  }
}

/** @returns whether the index holds the file now or will after the next flush. */
async function take(deps: UpdateDeps, pass: Pass, source: CodeSource): Promise<boolean> {
  if (!isKeptPath(source.path) || deps.holdsCredentials(source.path.split('/'))) {
    pass.counts.refused += 1
    return false
  }
  const known = deps.file.use((db) => db.get('SELECT hash FROM file WHERE path = ?', source.path)?.['hash'])
  if (known === source.contentHash) {
    pass.counts.unchanged += 1
    return true
  }
  const file = await weighed(source)
  if (file === undefined || file.cut) pass.counts.incomplete += 1
  if (file === undefined) return false
  if (pass.batch.some(({ path }) => path === file.path)) flush(deps, pass)
  pass.batch.push(file)
  for (const list of file.postings.values()) pass.postings += list.length
  if (pass.batch.length >= BATCH_FILES || pass.postings >= BATCH_POSTINGS) flush(deps, pass)
  return true
}

/** Brings the whole index to the state of `sources`, and stops between two files when signalled. */
export async function updateIndex(
  deps: UpdateDeps, sources: Iterable<CodeSource> | AsyncIterable<CodeSource>, signal?: AbortSignal,
): Promise<CodeUpdate> {
  const pass = startPass()
  const seen = new Set<string>()
  const started = deps.file.use((db) => db.run('UPDATE state SET complete = 0 WHERE one = 1'))
  if (started === undefined) pass.lost = true
  let turn = 0
  for await (const source of sources) {
    if (signal?.aborted) break
    if (await take(deps, pass, source)) seen.add(source.path)
    if ((turn += 1) % FILES_PER_TURN === 0) await othersTurn()
  }
  flush(deps, pass)
  if (signal?.aborted) return pass.counts
  const paths = deps.file.use((db) => db.all('SELECT path FROM file')) ?? []
  remove(deps, pass, paths.map(({ path }) => String(path)).filter((path) => !seen.has(path)))
  if (pass.lost) return pass.counts
  const ended = deps.file.use((db) => db.run('UPDATE state SET complete = 1, updated_at = ? WHERE one = 1', deps.clock.now()))
  pass.counts.complete = ended !== undefined
  return pass.counts
}

/** Brings some files to their state. */
export async function changeIndex(deps: UpdateDeps, sources: readonly CodeSource[], removed: readonly string[]): Promise<CodeUpdate> {
  const pass = startPass()
  const gone = [...removed]
  for (const source of sources) if (!(await take(deps, pass, source))) gone.push(source.path)
  flush(deps, pass)
  remove(deps, pass, gone)
  pass.counts.complete = !pass.lost
  return pass.counts
}
