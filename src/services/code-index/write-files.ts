/** Writes and removes files of the index: postings, addresses and words, each batch in one transaction, all or none. */

import type { Database, SqlRow } from '../../exits/disk/database.ts'
import type { CodeChunk } from '../../kernel/ports/code-index.ts'
import { CorruptIndex } from './corrupt-index.ts'
import { type FileChange, MAX_FILES, type Posting, blockOf, changeBlock, fingerprint, keyOf } from './posting-list.ts'
import { fold, identifiersOf } from './words.ts'

/** One file, ready to be written. */
export interface WeighedFile {
  readonly path: string
  readonly contentHash: string
  readonly chunks: readonly Omit<CodeChunk, 'signature' | 'doc' | 'body'>[]
  /** Per term number the declarations that hold it, in order. */
  readonly postings: ReadonlyMap<number, readonly Posting[]>
}

/** Changes by block row; gathered over the batch, so that each block is written once. */
type Changes = Map<number, FileChange[]>

const bytesOf = (value: unknown): Uint8Array => {
  if (value instanceof ArrayBuffer) return new Uint8Array(value)
  if (value instanceof Uint8Array) return value
  throw new CorruptIndex('a value is no blob')
}

/** The stored bytes of a blob column. @throws CorruptIndex when it is something else. */
export const blobOf = (row: SqlRow, column: string): Uint8Array => bytesOf(row[column])

/** The terms of a file with the fingerprints of their postings: what a change does not touch is not written again. */
type Terms = Map<number, number>

function termsIn(bytes: Uint8Array): Terms {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const terms: Terms = new Map()
  for (let at = 0; at + 8 <= bytes.byteLength; at += 8) terms.set(view.getUint32(at), view.getUint32(at + 4))
  return terms
}

function termBytes(terms: Terms): Uint8Array {
  const view = new DataView(new ArrayBuffer(terms.size * 8))
  let at = 0
  for (const [term, print] of terms) {
    view.setUint32(at, term)
    view.setUint32(at + 4, print)
    at += 8
  }
  return new Uint8Array(view.buffer)
}

function note(changes: Changes, term: number, change: FileChange): void {
  const block = blockOf(term, change.file)
  const known = changes.get(block)
  if (known === undefined) changes.set(block, [change])
  else known.push(change)
}

function noteTerms({ changes }: Batch, { file, before, after }: { file: number; before: Terms; after: WeighedFile['postings'] }): Terms {
  const prints: Terms = new Map()
  for (const [term, postings] of after) {
    const print = fingerprint(postings)
    prints.set(term, print)
    if (before.get(term) !== print) note(changes, term, { file, postings })
  }
  for (const term of before.keys()) if (!after.has(term)) note(changes, term, { file, postings: [] })
  return prints
}

/** Words of names help to mend a typing mistake. Only plain words of letters are kept, and names are addresses anyway. */
const WORD = /^\p{L}{4,24}$/u

function countWords(words: Map<string, number>, name: string, step: 1 | -1): void {
  for (const parts of identifiersOf(name, 64)) {
    for (const word of parts) if (WORD.test(word)) words.set(word, (words.get(word) ?? 0) + step)
  }
}

interface Batch {
  readonly changes: Changes
  readonly words: Map<string, number>
}

/** Removes the addresses of a file. @returns the terms that its postings are still under. */
function forget(db: Database, file: SqlRow, batch: Batch): Terms {
  const [first, last] = [keyOf(Number(file['id']), 0), keyOf(Number(file['id']) + 1, 0) - 1]
  for (const row of db.all('SELECT name FROM chunk WHERE key BETWEEN ? AND ?', first, last)) countWords(batch.words, String(row['name']), -1)
  db.run('DELETE FROM chunk WHERE key BETWEEN ? AND ?', first, last)
  return termsIn(blobOf(file, 'terms'))
}

function makeFile(db: Database, path: string): number {
  const id = Number(db.get("INSERT INTO file(path, hash, terms) VALUES (?, '', x'') RETURNING id", path)?.['id'])
  // Numbers are never used twice; long before the last one the file is better made anew.
  if (id >= MAX_FILES) throw new CorruptIndex('file numbers are used up')
  return id
}

function writeFile(db: Database, file: WeighedFile, batch: Batch): boolean {
  const known = db.get('SELECT id, hash, terms FROM file WHERE path = ?', file.path)
  // Another process may have been faster.
  if (known?.['hash'] === file.contentHash) return false
  const before: Terms = known === undefined ? new Map() : forget(db, known, batch)
  const id = known === undefined ? makeFile(db, file.path) : Number(known['id'])
  const terms = noteTerms(batch, { file: id, before, after: file.postings })
  db.run('UPDATE file SET hash = ?, terms = ? WHERE id = ?', file.contentHash, termBytes(terms), id)
  file.chunks.forEach(({ name, container, kind, startLine, endLine }, ordinal) => {
    db.run('INSERT INTO chunk VALUES (?, ?, ?, ?, ?, ?, ?)', keyOf(id, ordinal), name, fold(name), container, kind, startLine, endLine)
    countWords(batch.words, name, 1)
  })
  return true
}

function writeBlocks(db: Database, changes: Changes): void {
  for (const [row, files] of changes) {
    const found = db.get('SELECT data FROM posting WHERE id = ?', row)
    const data = changeBlock(found === undefined ? new Uint8Array() : blobOf(found, 'data'), files)
    if (data.length === 0) db.run('DELETE FROM posting WHERE id = ?', row)
    else if (found === undefined) db.run('INSERT INTO posting VALUES (?, ?)', row, data)
    else db.run('UPDATE posting SET data = ? WHERE id = ?', data, row)
  }
}

function writeWords(db: Database, words: ReadonlyMap<string, number>): void {
  for (const [word, step] of words) {
    if (step === 0) continue
    db.run('INSERT INTO word VALUES (?, ?) ON CONFLICT(word) DO UPDATE SET n = n + excluded.n', word, step)
    if (step < 0) db.run('DELETE FROM word WHERE word = ? AND n <= 0', word)
  }
}

function inBatch(db: Database, fn: (batch: Batch) => number): number {
  return db.transaction('immediate', () => {
    const batch: Batch = { changes: new Map(), words: new Map() }
    const changed = fn(batch)
    if (changed === 0) return 0
    writeBlocks(db, batch.changes)
    writeWords(db, batch.words)
    db.run('UPDATE state SET generation = generation + 1 WHERE one = 1')
    return changed
  })
}

/** Writes files of different paths in one transaction. @returns how many were not there yet with the same content. */
export const writeFiles = (db: Database, files: readonly WeighedFile[]): number =>
  inBatch(db, (batch) => files.filter((file) => writeFile(db, file, batch)).length)

/** Removes files of different paths in one transaction. @returns how many were there. */
export const removeFiles = (db: Database, paths: readonly string[]): number =>
  inBatch(db, (batch) => paths.filter((path) => {
    const known = db.get('SELECT id, terms FROM file WHERE path = ?', path)
    if (known === undefined) return false
    noteTerms(batch, { file: Number(known['id']), before: forget(db, known, batch), after: new Map() })
    db.run('DELETE FROM file WHERE id = ?', Number(known['id']))
    return true
  }).length)
