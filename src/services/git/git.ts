/**
 * The `Git` port: a repository is read by a library in a thread of its own, through a jail, with an end to everything.
 * No git is started, so what a repository configures is text. What the path policy hides is left out of every answer.
 */

import { setImmediate as othersTurn } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { Git, GitLook } from '../../kernel/ports/host.ts'
import type { LocalFiles } from '../../kernel/ports/local-files.ts'
import { Refusal, refusal } from '../../kernel/refusal.ts'
import { stopReason } from '../../kernel/stop-reason.ts'
import type { Answers, Job, Question, Told } from './job.ts'

export interface GitOptions {
  readonly localFiles: Pick<LocalFiles, 'places' | 'exists'>
  /** Whether a place may be read. */
  readonly judge: (names: readonly string[], use: 'read', above: readonly string[]) => Refusal | undefined
  /** A unified diff of two texts. */
  readonly diff: (before: string, after: string) => string
  readonly wallMs?: number
}

export interface OpenGit extends Git {
  close(): Promise<void>
}

const WALL_MS = 20_000
/** Of the whole process beyond what it had when the thread began. */
const MEMORY_BYTES = 800_000_000
const WATCH_MS = 100
const HEAP = { maxOldGenerationSizeMb: 512 }
const MAX_ABOVE = 64

export function createGit({ localFiles, judge, diff, wallMs = WALL_MS }: GitOptions): OpenGit {
  const running = new Set<Worker>()

  const ask = async <Name extends Question['ask']>(tree: string, question: Extract<Question, { ask: Name }>, signal: AbortSignal): Promise<Answers[Name]> => {
    const told = await inThread({ tree, question: question as Question }, { signal, wallMs, running })
    if (told.ok) return told.answer as Answers[Name]
    throw refusal('git.unavailable', told.why === 'limit' ? 'it holds more than is read here' : 'name a folder of a working tree, and a branch or commit that it has', told.why)
  }

  /** The nearest folder upward that holds a repository, within the allowed ones. */
  const treeOf = async (path: string): Promise<string> => {
    let at = (await localFiles.places(path, 'read')).at(-1) ?? path
    for (let up = 0; up < MAX_ABOVE; up += 1) {
      if (await localFiles.exists(`${at}/.git`)) return at
      at = at.slice(0, at.lastIndexOf('/')) || '/'
      if (!(await isAllowed(localFiles, at))) break
    }
    throw refusal('git.unavailable', 'name a folder of a working tree', 'missing')
  }

  const isShown = (tree: string) => {
    const above = tree.split('/').filter(Boolean)
    return ({ path }: { readonly path: string }): boolean => judge(path.split('/'), 'read', above) === undefined
  }

  const look = async <Name extends Question['ask']>(path: string, question: Extract<Question, { ask: Name }>, { signal }: GitLook): Promise<{ readonly tree: string; readonly answer: Answers[Name] }> => {
    const tree = await treeOf(path)
    return { tree, answer: await ask<Name>(tree, question, signal) }
  }

  return {
    async status(path, how) {
      const { tree, answer } = await look(path, { ask: 'status' }, how)
      return { ...answer, changes: answer.changes.filter(isShown(tree)) }
    },
    log: async (path, { ref, max, ...how }) => (await look(path, { ask: 'log', ref, max }, how)).answer,
    async diff(path, { from, to, ...how }) {
      const { tree, answer } = await look(path, { ask: 'diff', from, to }, how)
      const files: { readonly path: string; readonly diff: string }[] = []
      for (const { path: file, before, after } of answer.files.filter(isShown(tree))) {
        // Hundreds of files are compared, each of them in some milliseconds.
        await othersTurn()
        if (how.signal.aborted) throw stopReason(how.signal)
        files.push({ path: file, diff: diff(before, after) })
      }
      return { truncated: answer.truncated, files }
    },
    branches: async (path, how) => (await look(path, { ask: 'branches' }, how)).answer,
    async info(path, how) {
      const { tree, answer } = await look(path, { ask: 'info' }, how)
      return { root: tree, ...answer }
    },
    async close() {
      await Promise.all([...running].map((worker) => worker.terminate()))
    },
  }
}

async function isAllowed(localFiles: Pick<LocalFiles, 'places'>, path: string): Promise<boolean> {
  try {
    await localFiles.places(path, 'read')
    return true
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}

interface Thread {
  readonly signal: AbortSignal
  readonly wallMs: number
  readonly running: Set<Worker>
}

function inThread(job: Job, { signal, wallMs, running }: Thread): Promise<Told> {
  return new Promise((resolve, reject) => {
    const before = process.memoryUsage.rss()
    const worker = new Worker(new URL('./git-worker.js', import.meta.url), { workerData: job, resourceLimits: HEAP, env: {}, stdin: false })
    running.add(worker)
    const end = (settle: () => void): void => {
      clearTimeout(late)
      clearInterval(watch)
      signal.removeEventListener('abort', gone)
      running.delete(worker)
      void worker.terminate()
      settle()
    }
    const limit = (): void => end(() => resolve({ ok: false, why: 'limit' }))
    const gone = (): void => end(() => reject(stopReason(signal)))
    const late = setTimeout(limit, wallMs)
    const watch = setInterval(() => {
      if (process.memoryUsage.rss() - before > MEMORY_BYTES) limit()
    }, WATCH_MS)
    signal.addEventListener('abort', gone, { once: true })
    worker.once('message', (told: Told) => end(() => resolve(told)))
    // A thread that dies has met something that no repository should hold.
    worker.once('error', limit)
    worker.once('exit', () => end(() => resolve({ ok: false, why: 'repository' })))
    if (signal.aborted) gone()
  })
}
