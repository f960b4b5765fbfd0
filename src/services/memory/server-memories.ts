/** Memories on a server, under the same rules as the embedded ones, and found by their meaning where that can be told. */

import { newId } from '../../exits/random.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Embedder } from '../../kernel/ports/embedding.ts'
import type { Memories, MemoryDraft, StoredMemory } from '../../kernel/ports/memory.ts'
import { all, get, run } from '../../kernel/ports/store.ts'
import type { Steps, Store, StoreRow } from '../../kernel/ports/store.ts'
import { refusal } from '../../kernel/refusal.ts'
import { checkEntries, checkTotals } from './limits.ts'
import type { MemoryLimits } from './limits.ts'
import { countWords, encode, sizeOf } from './memories.ts'
import type { Encoded, Words } from './memories.ts'
import { createMeaning } from './meaning.ts'
import type { Vector } from './meaning.ts'
import { bytesOf, lockOf, ownerKey, removeExpired, settle } from './server-account.ts'
import { recallByWords } from './server-recall.ts'
import { metadataOf, textOf } from './stored-text.ts'

export interface ServerMemoriesParts {
  readonly store: Store
  readonly limits: MemoryLimits
  readonly clock: Pick<Clock, 'now'>
  readonly embedder: Embedder | undefined
}

const SPACE = 'SELECT number FROM memory_space WHERE owner = ? AND name = ?'

export function createServerMemories({ store, limits, clock, embedder }: ServerMemoriesParts): Memories {
  const meaning = embedder && createMeaning(store, embedder)
  return {
    async store(given, draft) {
      const encoded = encode(draft, limits)
      const owner = ownerKey(given)
      const vector = await meaning?.of(draft.content)
      return store.use('write', () => keep({ draft, encoded, vector, limits, owner, nowMs: clock.now() }), lockOf(owner))
    },
    async search(given, { namespace, query, k }) {
      if (!(k <= limits.maxK)) throw refusal('input.invalid', `k: at most ${limits.maxK}`)
      const wanted = { owner: ownerKey(given), name: bytesOf(namespace), query, k }
      const near = await meaning?.recall(wanted)
      return near ? { recall: 'semantic', hits: near } : { recall: 'keyword', hits: await store.use('read', () => recallByWords(wanted)) }
    },
    list: (given, namespace) => store.use('read', function* () {
      const sql = `SELECT id, metadata, created_ms FROM memory WHERE space = (${SPACE}) ORDER BY number`
      const rows = yield* all(sql, ownerKey(given), bytesOf(namespace))
      return rows.map((row) => ({ id: String(row['id']), metadata: metadataOf(row), createdMs: Number(row['created_ms']) }))
    }),
    async remove(given, namespace, id) {
      const owner = ownerKey(given)
      return !id.includes('\0') && store.use('write', () => remove(owner, namespace, id), lockOf(owner))
    },
  }
}

interface Keeping {
  readonly owner: string
  readonly draft: MemoryDraft
  readonly encoded: Encoded
  readonly vector: Vector | undefined
  readonly limits: MemoryLimits
  readonly nowMs: number
}

function* keep(keeping: Keeping): Steps<StoredMemory> {
  const { owner, draft, encoded, limits } = keeping
  yield* removeExpired(owner, keeping.nowMs)
  const space = Number((yield* get(SPACE, owner, bytesOf(draft.namespace)))?.['number'] ?? 0)
  const twin = yield* get('SELECT number, id FROM memory WHERE space = ? AND hash = ?', space, encoded.hash)
  if (draft.id !== undefined) return yield* replace({ ...keeping, space, id: draft.id, twin })
  if (twin !== undefined) return { id: String(twin['id']), status: 'unchanged' }
  const id = newId()
  const made = space === 0 ? 1 : 0
  yield* insert({ ...keeping, id, space: made === 1 ? yield* makeSpace(owner, draft.namespace) : space })
  checkTotals(yield* settle(owner, { bytes: sizeOf(encoded), namespaces: made }), limits)
  return { id, status: 'created' }
}

function* makeSpace(owner: string, namespace: string): Steps<number> {
  return Number((yield* get('INSERT INTO memory_space (owner, name) VALUES (?, ?) RETURNING number', owner, bytesOf(namespace)))?.['number'])
}

interface Placed extends Keeping {
  readonly space: number
  readonly id: string
}

const REPLACE = 'UPDATE memory SET hash = ?, bytes = ?, words = ?, metadata = ?, content = ?, embedding = ?, embedded_by = ? WHERE number = ?'

function* replace({ owner, space, id, twin, encoded, vector, limits }: Placed & { readonly twin: StoreRow | undefined }): Steps<StoredMemory> {
  const old = id.includes('\0') ? undefined : yield* get('SELECT number, metadata, bytes, words FROM memory WHERE space = ? AND id = ?', space, id)
  if (old === undefined) throw refusal('memory.missing', 'leave the id out to keep a new memory')
  if (twin !== undefined && twin['id'] !== id) throw refusal('memory.duplicate', 'delete one of the two')
  if (twin !== undefined && textOf(old['metadata']) === textOf(encoded.metadata)) return { id, status: 'unchanged' }
  const number = Number(old['number'])
  const words = countWords(encoded.text)
  yield* run(REPLACE, encoded.hash, sizeOf(encoded), words.length, encoded.metadata, encoded.content, vector?.bytes ?? null, vector?.by ?? null, number)
  yield* run('DELETE FROM memory_word WHERE memory = ?', number)
  yield* index({ space, number, words })
  yield* run('UPDATE memory_space SET words = words + ? WHERE number = ?', words.length - Number(old['words']), space)
  checkTotals(yield* settle(owner, { bytes: sizeOf(encoded) - Number(old['bytes']) }), limits)
  return { id, status: 'updated' }
}

const INSERT = `INSERT INTO memory (space, id, hash, bytes, words, created_ms, metadata, content, embedding, embedded_by)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING number`

function* insert({ space, id, encoded, vector, limits, nowMs }: Placed): Steps<void> {
  const words = countWords(encoded.text)
  const row = yield* get(INSERT, space, id, encoded.hash, sizeOf(encoded), words.length, nowMs, encoded.metadata, encoded.content, vector?.bytes ?? null, vector?.by ?? null)
  yield* index({ space, number: Number(row?.['number']), words })
  const sums = yield* get('UPDATE memory_space SET entries = entries + 1, words = words + ? WHERE number = ? RETURNING entries', words.length, space)
  checkEntries(Number(sums?.['entries']), limits)
}

const INDEX = `INSERT INTO memory_word (space, word, memory, times, length)
  SELECT CAST(? AS bigint), given.word, CAST(? AS bigint), given.times, CAST(? AS integer) FROM unnest(CAST(? AS text[]), CAST(? AS integer[])) AS given (word, times)`

function* index({ space, number, words }: { readonly space: number; readonly number: number; readonly words: Words }): Steps<void> {
  yield* run(INDEX, space, number, words.length, Object.keys(words.times), Object.values(words.times))
}

function* remove(owner: string, namespace: string, id: string): Steps<boolean> {
  const gone = yield* get(`DELETE FROM memory WHERE space = (${SPACE}) AND id = ? RETURNING space, bytes, words`, owner, bytesOf(namespace), id)
  if (gone === undefined) return false
  yield* run('UPDATE memory_space SET entries = entries - 1, words = words - ? WHERE number = ?', Number(gone['words']), Number(gone['space']))
  const spaces = yield* run('DELETE FROM memory_space WHERE number = ? AND entries = 0', Number(gone['space']))
  yield* settle(owner, { bytes: -Number(gone['bytes']), namespaces: -spaces })
  return true
}
