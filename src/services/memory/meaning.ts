/**
 * Recall by meaning: a vector beside each memory, compared one by one within a namespace. Where the provider does not
 * answer, or memories are still without a vector of its kind, the words decide instead.
 */

import type { Embedder } from '../../kernel/ports/embedding.ts'
import type { MemoryHit } from '../../kernel/ports/memory.ts'
import { all, get, run } from '../../kernel/ports/store.ts'
import type { Steps, Store, StoreRow } from '../../kernel/ports/store.ts'
import { refusal } from '../../kernel/refusal.ts'
import { queryWords } from './recall.ts'
import { hitOf } from './server-recall.ts'
import type { Wanted } from './server-recall.ts'
import { textOf } from './stored-text.ts'

export interface Vector {
  /** 32-bit floating point numbers, little-endian. */
  readonly bytes: Uint8Array
  /** The label of what made it: vectors of two labels are never compared. */
  readonly by: string
}

export interface Meaning {
  /** Undefined where the provider does not answer: a memory is kept all the same. */
  of(text: string): Promise<Vector | undefined>
  /** Undefined where the words must decide. */
  recall(wanted: Wanted): Promise<readonly MemoryHit[] | undefined>
}

/** What a provider is sent of one text, and how long it may take. */
const [MAX_CHARS, TIMEOUT_MS] = [8_000, 10_000]
/** Vectors compared by one search; a larger namespace is searched by its words. */
const MAX_COMPARED = 5_000
/** Vectors made by one search for memories that have none. */
const MAX_MADE = 64

const HERE = '(SELECT number FROM memory_space WHERE owner = ? AND name = ?)'
const COUNT = `SELECT count(*) AS entries, count(*) FILTER (WHERE embedded_by = ?) AS ready FROM memory WHERE space = ${HERE}`
const WITHOUT = `SELECT number, content FROM memory WHERE space = ${HERE} AND embedded_by IS DISTINCT FROM ? ORDER BY number DESC LIMIT ${MAX_MADE}`
const VECTORS = `SELECT number, embedding FROM memory WHERE space = ${HERE} AND embedded_by = ?`

export function createMeaning(store: Store, embedder: Embedder): Meaning {
  const vectors = async (texts: readonly string[]): Promise<readonly Float32Array[] | undefined> => {
    const stop = new AbortController()
    const timer = setTimeout(() => stop.abort(refusal('embedding.failed')), TIMEOUT_MS)
    try {
      return (await embedder.embed(texts.map((text) => text.slice(0, MAX_CHARS)), { signal: stop.signal })).map((numbers) => Float32Array.from(numbers))
    } catch {
      return undefined
    } finally {
      clearTimeout(timer)
    }
  }
  const fill = async (rows: readonly StoreRow[]): Promise<void> => {
    const made = rows.length > 0 ? await vectors(rows.map(({ content }) => textOf(content))) : undefined
    if (made === undefined) return
    await store.use('write', function* () {
      for (const [at, row] of rows.entries()) yield* run('UPDATE memory SET embedding = ?, embedded_by = ? WHERE number = ? AND content = ?', bytesOf(made[at]), embedder.label, Number(row['number']), row['content'] as Uint8Array)
    })
  }
  const counts = ({ owner, name }: Wanted): Promise<StoreRow | undefined> => store.use('read', () => get(COUNT, embedder.label, owner, name))
  return {
    async of(text) {
      const [made] = (await vectors([text])) ?? []
      return made && { bytes: bytesOf(made), by: embedder.label }
    },
    async recall(wanted) {
      const { owner, name, query, k } = wanted
      let known = await counts(wanted)
      if (Number(known?.['entries']) > MAX_COMPARED) return undefined
      if (known?.['ready'] !== known?.['entries']) {
        await fill(await store.use('read', () => all(WITHOUT, owner, name, embedder.label)))
        known = await counts(wanted)
        if (known?.['ready'] !== known?.['entries']) return undefined
      }
      const [asked] = (await vectors([query])) ?? []
      return asked && store.use('read', () => nearest({ ...wanted, k: Math.max(0, k) }, asked, embedder.label))
    },
  }
}

function* nearest({ owner, name, query, k }: Wanted, asked: Float32Array, label: string): Steps<readonly MemoryHit[]> {
  const rows = yield* all(VECTORS, owner, name, label)
  const scored = rows.map((row) => ({ number: Number(row['number']), score: dot(asked, row['embedding'] as Uint8Array) }))
  const best = scored.sort((a, b) => b.score - a.score || a.number - b.number).slice(0, k)
  const found = yield* all('SELECT number, id, metadata, content FROM memory WHERE number = ANY (CAST(? AS bigint[]))', best.map(({ number }) => number))
  const words = queryWords(query)
  const byNumber = new Map(found.map((row) => [Number(row['number']), row]))
  return best.flatMap(({ number, score }) => {
    const row = byNumber.get(number)
    return row ? [hitOf(row, words, score)] : []
  })
}

const bytesOf = (numbers: Float32Array | undefined): Uint8Array => {
  const bytes = new Uint8Array((numbers?.length ?? 0) * 4)
  const view = new DataView(bytes.buffer)
  for (const [at, number] of (numbers ?? []).entries()) view.setFloat32(at * 4, number, true)
  return bytes
}

/** Of vectors of length 1 the cosine of the angle between them. */
function dot(asked: Float32Array, bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let sum = 0
  for (let at = 0; at < asked.length && at * 4 + 4 <= bytes.byteLength; at += 1) sum += (asked[at] ?? 0) * view.getFloat32(at * 4, true)
  return sum
}
