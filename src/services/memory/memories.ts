/** Memories of one owner: kept once for each content and namespace, replaced in place, found by their words. */

import { createHash } from 'node:crypto'
import type { Database, SqlRow } from '../../exits/disk/database.ts'
import { newId } from '../../exits/random.ts'
import type { Clock } from '../../kernel/clock.ts'
import { refusal } from '../../kernel/refusal.ts'
import type { Memories, MemoryDraft, StoredMemory } from '../../kernel/ports/memory.ts'
import { removeExpired } from './expiry.ts'
import { checkAccount, checkEntries, checkSize } from './limits.ts'
import type { MemoryLimits } from './limits.ts'
import type { Owners } from './owners.ts'
import { recall } from './recall.ts'
import { metadataOf, textOf } from './stored-text.ts'
import { wordsOf } from './words.ts'

export interface Encoded {
  readonly content: Uint8Array
  readonly metadata: Uint8Array
  readonly hash: Uint8Array
  readonly text: string
}

const utf8 = new TextEncoder()
const FIND_NAMESPACE = 'SELECT number FROM namespace WHERE name = ?'

export function createMemories(owners: Owners, limits: MemoryLimits, clock: Pick<Clock, 'now'>): Memories {
  return {
    async store(owner, draft) {
      const encoded = encode(draft, limits)
      return owners.use(owner, 'immediate', (db) => store(db, { draft, encoded, limits, nowMs: clock.now() }))
    },
    async search(owner, { namespace, query, k }) {
      if (!(k <= limits.maxK)) throw refusal('input.invalid', `k: at most ${limits.maxK}`)
      return { recall: 'keyword', hits: await owners.use(owner, 'deferred', (db) => recall(db, { namespace, query, k })) }
    },
    list: (owner, namespace) => owners.use(owner, 'deferred', (db) => {
      const sql = 'SELECT id, metadata, created_ms FROM memory WHERE namespace = (SELECT number FROM namespace WHERE name = ?) ORDER BY number'
      return db.all(sql, namespace).map((row) => ({ id: String(row['id']), metadata: metadataOf(row), createdMs: Number(row['created_ms']) }))
    }),
    remove: (owner, namespace, id) => owners.use(owner, 'immediate', (db) => {
      const sql = 'DELETE FROM memory WHERE namespace = (SELECT number FROM namespace WHERE name = ?) AND id = ?'
      return db.run(sql, namespace, id).changes > 0
    }),
  }
}

export function encode({ content, metadata }: MemoryDraft, { maxContentBytes, maxMetadataBytes }: MemoryLimits): Encoded {
  const bytes = utf8.encode(content)
  checkSize(bytes.length, maxContentBytes, 'content')
  const described = utf8.encode(JSON.stringify(metadata))
  checkSize(described.length, maxMetadataBytes, 'metadata')
  return { content: bytes, metadata: described, hash: createHash('sha256').update(bytes).digest(), text: content }
}

interface Writing {
  readonly draft: MemoryDraft
  readonly encoded: Encoded
  readonly limits: MemoryLimits
  readonly nowMs: number
}

function store(db: Database, writing: Writing): StoredMemory {
  const { draft, encoded, limits } = writing
  removeExpired(db, writing.nowMs)
  const namespace = Number(db.get(FIND_NAMESPACE, draft.namespace)?.['number'] ?? 0)
  const twin = db.get('SELECT number, id FROM memory WHERE namespace = ? AND hash = ?', namespace, encoded.hash)
  if (draft.id !== undefined) return replace(db, { ...writing, namespace, id: draft.id, twin })
  if (twin !== undefined) return { id: String(twin['id']), status: 'unchanged' }
  const id = newId()
  insert(db, { ...writing, id })
  checkAccount(db, limits)
  return { id, status: 'created' }
}

interface Replacing extends Writing {
  readonly namespace: number
  readonly id: string
  /** The memory that has this content now. */
  readonly twin: SqlRow | undefined
}

function replace(db: Database, { namespace, id, twin, encoded, limits }: Replacing): StoredMemory {
  const old = db.get('SELECT number, metadata FROM memory WHERE namespace = ? AND id = ?', namespace, id)
  if (old === undefined) throw refusal('memory.missing', 'leave the id out to keep a new memory')
  if (twin !== undefined && twin['id'] !== id) throw refusal('memory.duplicate', 'delete one of the two')
  if (twin !== undefined && textOf(old['metadata']) === textOf(encoded.metadata)) return { id, status: 'unchanged' }
  const number = Number(old['number'])
  const words = countWords(encoded.text)
  const sql = 'UPDATE memory SET hash = ?, bytes = ?, words = ?, metadata = ?, content = ? WHERE number = ?'
  db.run(sql, encoded.hash, sizeOf(encoded), words.length, encoded.metadata, encoded.content, number)
  db.run('DELETE FROM posting WHERE memory = ?', number)
  index(db, { namespace, number, words })
  checkAccount(db, limits)
  return { id, status: 'updated' }
}

function insert(db: Database, { draft, encoded, limits, nowMs, id }: Writing & { readonly id: string }): void {
  db.run('INSERT OR IGNORE INTO namespace (name) VALUES (?)', draft.namespace)
  const namespace = Number(db.get(FIND_NAMESPACE, draft.namespace)?.['number'])
  const words = countWords(encoded.text)
  const sql = 'INSERT INTO memory (namespace, id, hash, bytes, words, created_ms, metadata, content) VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING number'
  const row = db.get(sql, namespace, id, encoded.hash, sizeOf(encoded), words.length, nowMs, encoded.metadata, encoded.content)
  index(db, { namespace, number: Number(row?.['number']), words })
  checkEntries(Number(db.get('SELECT entries FROM namespace WHERE number = ?', namespace)?.['entries']), limits)
}

export const sizeOf = ({ content, metadata }: Encoded): number => content.length + metadata.length

export interface Words {
  readonly length: number
  readonly times: Readonly<Record<string, number>>
}

export function countWords(text: string): Words {
  const times = new Map<string, number>()
  let length = 0
  for (const { word } of wordsOf(text)) {
    times.set(word, (times.get(word) ?? 0) + 1)
    length += 1
  }
  return { length, times: Object.fromEntries(times) }
}

function index(db: Database, { namespace, number, words }: { readonly namespace: number; readonly number: number; readonly words: Words }): void {
  // One statement for all words: a call for each would cost more than the work.
  const sql = 'INSERT INTO posting SELECT CAST(? AS INTEGER), key, CAST(? AS INTEGER), value, CAST(? AS INTEGER) FROM json_each(?)'
  db.run(sql, namespace, number, words.length, JSON.stringify(words.times))
}
