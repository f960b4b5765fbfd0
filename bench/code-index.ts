/**
 * The code index over 500 files of 10 declarations, beside a plain FTS5 table (porter stemmer, bm25 with weights) in
 * the same kind of database file: building it, asking it, one changed file; and memory over a long run.
 */

import { join } from 'node:path'
import { systemClock } from '../src/exits/clock.ts'
import { type Database, openDatabase } from '../src/exits/disk/database.ts'
import type { CodeChunk, CodeIndex, CodeSource } from '../src/kernel/ports/code-index.ts'
import { holdsCredentials } from '../src/policy/credential-paths.ts'
import { createCodeIndex } from '../src/services/code-index/index.ts'
import { inTempDir } from './contestants.ts'
import { compared, takeTurns } from './rounds.ts'
import type { Bench, Effort, Row } from './rounds.ts'

const FILES = 500
const CHUNKS_PER_FILE = 10
const BODY_WORDS = 60
const QUERIES = 200
/** Changes and questions of the long run, and of the run before it that fills every cache. */
const [LONG_RUN, WARM_UP] = [2_000, 1_000]

const VERBS = 'get set make read write parse find remove add join split sort load save check open close send merge count'.split(' ')
const NOUNS = `file path line user list table node tree token index value key name image page query session record column
  config report buffer stream message event handler request response client server cache queue option label matrix
  vector point graph edge field schema model worker task batch chunk header cookie path error result`.split(/\s+/)
/** Rare words, as every tree has its own. */
const OWN_WORDS = 4_000

/** A small generator with a seed, so that every run sees the same tree. */
function dice(seed: number): (sides: number) => number {
  let state = seed
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * sides)
  }
}

type Roll = ReturnType<typeof dice>

const pick = (roll: Roll, from: readonly string[]): string => from[Math.min(roll(from.length), roll(from.length))] ?? ''
const ownWord = (roll: Roll): string => `${pick(roll, NOUNS)}${Math.floor(roll(OWN_WORDS) / (1 + roll(20))).toString(36)}x`
const word = (roll: Roll): string => (roll(4) === 0 ? ownWord(roll) : pick(roll, roll(3) === 0 ? VERBS : NOUNS))
const words = (roll: Roll, count: number): string => Array.from({ length: count }, () => word(roll)).join(' ')

/** A version rewrites one declaration of the file. */
function chunksOf(file: number, version: number): readonly CodeChunk[] {
  return Array.from({ length: CHUNKS_PER_FILE }, (_, at) => {
    const roll = dice(file * 7_919 + at * 104_729 + (at === version % CHUNKS_PER_FILE ? version : 0))
    return {
      name: `${pick(roll, VERBS)}_${pick(roll, NOUNS)}_${ownWord(roll)}`, kind: 'function', container: pick(roll, NOUNS), signature: words(roll, 4),
      doc: words(roll, 10), body: words(roll, BODY_WORDS), startLine: at * 20 + 1, endLine: at * 20 + 20,
    }
  })
}

const pathOf = (file: number): string => `src/${NOUNS[file % 20] ?? 'x'}/f${file}.py`
const sourceOf = (file: number, version = 0): CodeSource => ({ path: pathOf(file), contentHash: `${file}-${version}`, chunks: () => chunksOf(file, version) })
const sources = Array.from({ length: FILES }, (_, file) => sourceOf(file))
const questions = Array.from({ length: QUERIES }, (_, at) => `how to ${words(dice(at + 1), 5)}`)

function createFts(file: string): Database {
  const db = openDatabase(file)
  db.exec("CREATE VIRTUAL TABLE IF NOT EXISTS t USING fts5(name, container, signature, doc, path, body, tokenize = 'porter unicode61')")
  return db
}

function writeFts(db: Database, list: readonly CodeSource[]): void {
  db.transaction('immediate', () => {
    for (const { path, chunks } of list) {
      for (const { name, container, signature, doc, body } of chunks() as readonly CodeChunk[]) {
        db.run('INSERT INTO t VALUES (?, ?, ?, ?, ?, ?)', name, container, signature, doc, path, body)
      }
    }
  })
}

const askFts = (db: Database, question: string): unknown =>
  db.all('SELECT rowid FROM t WHERE t MATCH ? ORDER BY bm25(t, 3, 1, 1, 1, 0.5, 0.5) LIMIT 10', question.split(' ').map((one) => `"${one}"`).join(' OR '))

async function p95(ask: (question: string) => unknown): Promise<number> {
  const took: number[] = []
  for (const question of questions) {
    const start = performance.now()
    await ask(question)
    took.push(performance.now() - start)
  }
  return took.sort((a, b) => a - b)[Math.floor(took.length * 0.95)] ?? 0
}

async function timed(work: () => unknown): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

const open = (file: string): CodeIndex => createCodeIndex({ file, clock: systemClock, holdsCredentials })
const may = (): boolean => true

async function memoryAfter(index: CodeIndex, rounds: number): Promise<number> {
  for (let round = 0; round < rounds; round += 1) {
    await index.change([sourceOf(round % FILES, 1 + (round % 7))])
    await index.search(questions[round % QUERIES] ?? '', { limit: 10, may })
  }
  globalThis.gc?.()
  return process.memoryUsage().rss / 2 ** 20
}

async function run({ rounds }: Effort): Promise<readonly Row[]> {
  return inTempDir(async (folder) => {
    let number = 0
    const build = await takeTurns(rounds, {
      ours: async () => {
        const index = open(join(folder, `ours-${(number += 1)}.sqlite`))
        const ms = await timed(() => index.update(sources))
        index.close()
        return (FILES * 1_000) / ms
      },
      theirs: async () => {
        const db = createFts(join(folder, `theirs-${(number += 1)}.sqlite`))
        const ms = await timed(() => writeFts(db, sources))
        db.close()
        return (FILES * 1_000) / ms
      },
    })
    const index = open(join(folder, 'ours.sqlite'))
    await index.update(sources)
    const db = createFts(join(folder, 'theirs.sqlite'))
    writeFts(db, sources)
    const query = await takeTurns(rounds, { ours: () => p95((question) => index.search(question, { limit: 10, may })), theirs: () => p95((question) => askFts(db, question)) })
    let version = 0
    const change = await takeTurns(rounds * 3, {
      ours: () => timed(() => index.change([sourceOf(250, (version += 1))])),
      theirs: () => timed(() => {
        db.run('DELETE FROM t WHERE path = ?', pathOf(250))
        writeFts(db, [sourceOf(250, (version += 1))])
      }),
    })
    const before = await memoryAfter(index, WARM_UP)
    const after = await memoryAfter(index, LONG_RUN)
    index.close()
    db.close()
    return [
      compared({ id: 'code-index.build', baseline: 'plain FTS5', unit: 'files/s', better: 'more', ...build }),
      compared({ id: 'code-index.query-p95', baseline: 'plain FTS5', unit: 'ms', better: 'less', ...query }),
      compared({ id: 'code-index.change', baseline: 'plain FTS5', unit: 'ms', better: 'less', ...change }),
      compared({ id: 'code-index.memory', baseline: 'before 2,000 changes and questions', unit: 'MiB', better: 'less', ours: [after], theirs: [before] }),
    ]
  })
}

export const codeIndex: Bench = { ids: ['code-index.build', 'code-index.query-p95', 'code-index.change', 'code-index.memory'], run }
