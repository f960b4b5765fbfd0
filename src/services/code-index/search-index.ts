/**
 * Answers one question: declarations of that name, then names that begin so, then by weight of words. Files that the
 * caller may not see are left out before anything is counted.
 */

import type { Database, SqlRow } from '../../exits/disk/database.ts'
import type { CodeAnswer, CodeHit, CodeQuery } from '../../kernel/ports/code-index.ts'
import { type FileGate, createFileGate } from './file-gate.ts'
import { EMPTY, type IndexFile, freshnessOf } from './index-file.ts'
import { keptList } from './kept-lists.ts'
import { type Postings, blockRange, fileOf, noPostings, ordinalOf, readBlock } from './posting-list.ts'
import { CORRECTION_SHARE, type Symbol, type Wanted, symbolIn, wantedIn } from './query-terms.ts'
import { type Scores, type WeighedWord, scoresOf } from './score.ts'
import { correctionsOf } from './spelling.ts'
import { termId } from './term-id.ts'
import { knownWord } from './terms.ts'
import { blobOf } from './write-files.ts'

const MAX_LIMIT = 200
/** Declarations with a name that begins with the query, and that are it. */
const [MAX_PREFIXED, MAX_NAMED] = [1_000, 5_000]
/** A word in so few declarations may be mistyped. */
const RARE = 2
/** Of more declarations with one score, the first are looked at in the order of the index. */
const MAX_TIES = 512

type Match = CodeHit['match']
interface Candidate {
  readonly key: number
  readonly score: number
  readonly match: Match
}

interface Search {
  readonly file: IndexFile
  readonly gate: FileGate
  readonly lists: Map<number, Postings>
}

function loadList(db: Database, term: number): Postings {
  const list = noPostings()
  for (const row of db.all('SELECT id, data FROM posting WHERE id BETWEEN ? AND ?', ...blockRange(term))) {
    readBlock(Number(row['id']), blobOf(row, 'data'), list)
  }
  return list
}

function permitted(all: Postings, gate: FileGate): Postings {
  const { files, ordinals, weights } = all
  if (gate.open || files.every((file) => gate.allows(file))) return all
  const list = noPostings()
  files.forEach((file, at) => {
    if (!gate.allows(file)) return
    list.files.push(file)
    list.ordinals.push(ordinals[at] ?? 0)
    list.weights.push(weights[at] ?? 0)
  })
  return list
}

/** Loads what is not loaded yet, and keeps of it what the caller may see. */
async function load({ file, gate, lists }: Search, terms: Iterable<number>): Promise<void> {
  const missing = [...new Set(terms)].filter((term) => !lists.has(term))
  const loaded = file.use((db) => {
    const { generation } = freshnessOf(db)
    return missing.map((term) => keptList(db, { generation, term }, () => loadList(db, term)))
  }) ?? []
  await gate.admit(loaded.map((list) => list.files))
  for (const [at, term] of missing.entries()) lists.set(term, permitted(loaded[at] ?? noPostings(), gate))
}

/** The likeliest word that the caller can see at least one declaration of. */
async function corrected(search: Search, { word, term }: Wanted): Promise<number | undefined> {
  const held = (other: number): number => search.lists.get(other)?.files.length ?? 0
  if (word === '' || held(term) > RARE) return undefined
  const found = (search.file.use((db) => correctionsOf(db, word)) ?? []).flatMap(({ word: other, edits }) => {
    const likely = knownWord(other).term
    return likely === undefined ? [] : [{ term: termId(likely), edits }]
  })
  await load(search, found.map((likely) => likely.term))
  const better = found.filter((likely) => likely.term !== term && held(likely.term) > Math.max(1, held(term) * 5))
  return better.sort((a, b) => a.edits - b.edits || held(b.term) - held(a.term))[0]?.term
}

async function weighedWords(search: Search, wanted: readonly Wanted[]): Promise<readonly WeighedWord[]> {
  await load(search, wanted.flatMap(({ term, others }) => [term, ...others.map((other) => other.term)]))
  const listOf = (term: number): Postings => search.lists.get(term) ?? noPostings()
  const words: WeighedWord[] = []
  for (const one of wanted) {
    const instead = await corrected(search, one)
    const ways = [{ term: one.term, share: 1 }, ...one.others, ...(instead === undefined ? [] : [{ term: instead, share: CORRECTION_SHARE }])]
    words.push(ways.map(({ term, share }) => ({ list: listOf(term), share })))
  }
  return words
}

/** Declarations whose name is the symbol or begins with it. */
async function named({ file, gate }: Search, symbol: Symbol, scores: Scores): Promise<readonly Candidate[]> {
  const { folded } = symbol
  const rows = file.use((db) => ({
    exact: db.all('SELECT key FROM chunk WHERE folded = ? LIMIT ?', folded, MAX_NAMED),
    prefix: db.all('SELECT key FROM chunk WHERE folded > ? AND folded < ? ORDER BY folded LIMIT ?', folded, `${folded}\u{10ffff}`, MAX_PREFIXED),
  }))
  const keys = (list: readonly SqlRow[] = []): readonly number[] => list.map((row) => Number(row['key']))
  const [exact, prefix] = [keys(rows?.exact), keys(rows?.prefix)]
  await gate.admit([exact.map(fileOf), prefix.map(fileOf)])
  const candidates = (found: readonly number[], match: Match): readonly Candidate[] =>
    found.filter((key) => gate.allows(fileOf(key))).map((key) => ({ key, score: scores.scoreOf(fileOf(key), ordinalOf(key)), match }))
  return [...candidates(exact, 'exact'), ...candidates(prefix, 'prefix')]
}

const ADDRESS = `SELECT path, hash, name, kind, container, start_line, end_line FROM chunk, file
  WHERE chunk.key = ? AND file.id = ?`

function hitOf(db: Database, gate: FileGate, { key, score, match }: Candidate): CodeHit | undefined {
  const row = db.get(ADDRESS, key, fileOf(key))
  if (row === undefined || !gate.allowsAt(fileOf(key), String(row['path']))) return undefined
  const text = (column: string): string => String(row[column])
  return {
    path: text('path'), name: text('name'), kind: text('kind'), container: text('container'), startLine: Number(row['start_line']),
    endLine: Number(row['end_line']), contentHash: text('hash'), score, match,
  }
}

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Exact spelling before other cases, names before words, higher scores first; then where they stand. */
function inOrder(symbol: Symbol | undefined): (a: CodeHit, b: CodeHit) => number {
  const place = ({ match, name }: CodeHit): number => (match === 'ranked' ? 3 : match === 'prefix' ? 2 : name === symbol?.written ? 0 : 1)
  return (a, b) => place(a) - place(b) || b.score - a.score || compareText(a.path, b.path) || a.startLine - b.startLine || compareText(a.name, b.name)
}

/** Groups of candidates, best group first; the order within a group is settled when the addresses are known. */
function* groupsOf(byName: readonly Candidate[], scores: Scores, limit: number): Generator<readonly Candidate[]> {
  yield byName
  const taken = new Set(byName.map(({ key }) => key))
  for (const page of scores.pages(limit)) {
    yield page.filter(({ key }) => !taken.has(key)).map(({ key, score }) => ({ key, score, match: 'ranked' }))
  }
}

/** Files of one tree may number in the millions, and a cheap look must not cost what they all would. */
const bounded = (group: readonly Candidate[], limit: number): readonly Candidate[] =>
  group.length <= MAX_TIES + limit ? group : [...group].sort((a, b) => b.score - a.score).slice(0, MAX_TIES + limit)

/** Answers from the index as it is. An index that turns out broken answers nothing and says that it is not complete. */
export async function searchIndex(file: IndexFile, text: string, query: CodeQuery): Promise<CodeAnswer> {
  const { limit, kinds, signal } = query
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT) throw new RangeError(`limit: 1 to ${MAX_LIMIT}`)
  signal?.throwIfAborted()
  const freshness = file.use(freshnessOf) ?? EMPTY
  const search: Search = { file, gate: createFileGate(file.use, query), lists: new Map() }
  const scores = scoresOf(await weighedWords(search, wantedIn(text)))
  const symbol = symbolIn(text)
  const byName = symbol === undefined ? [] : await named(search, symbol, scores)
  const hits: CodeHit[] = []
  for (const group of groupsOf(byName, scores, limit)) {
    const found = file.use((db) => bounded(group, limit).map((candidate) => hitOf(db, search.gate, candidate))) ?? []
    const shown = found.filter((hit) => hit !== undefined && (kinds?.includes(hit.kind) ?? true)) as CodeHit[]
    hits.push(...shown.sort(inOrder(symbol)))
    if (hits.length >= limit) break
  }
  return { hits: hits.slice(0, limit), freshness }
}
