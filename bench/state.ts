/** What callers leave behind: a search among 10,000 memories beside SQLite's own full text search, and keys beside bare statements. */

import { join } from 'node:path'
import { openDatabase } from '../src/exits/disk/database.ts'
import { createMemory } from '../src/services/memory/index.ts'
import type { OpenMemory } from '../src/services/memory/index.ts'
import { inTempDir } from './contestants.ts'
import { callsPerSecond, compared, takeTurns } from './rounds.ts'
import type { Bench, Effort, Row } from './rounds.ts'

const MEMORIES = 10_000
const SEARCHES = 100
const LIMITS = {
  maxContentBytes: 100_000, maxMetadataBytes: 4_096, maxEntriesPerNamespace: MEMORIES, maxNamespaces: 50, quotaBytes: 1e9, maxK: 20, maxKeys: 1_000, maxValueBytes: 100_000,
  maxTtlSeconds: 3_600,
}
const OWNER = 's:bench'

/** Words by Zipf's law, so that some are in most memories and most in few. */
const wordAt = (seed: number): string => `word${Math.floor(2_000 ** (((Math.imul(seed, 2_654_435_761) >>> 0) % 10_007) / 10_007))}`
const textAt = (number: number): string => Array.from({ length: 20 + (number % 60) }, (_, at) => wordAt(number * 97 + at)).join(' ')
const queryAt = (number: number): string => `${wordAt(number * 31 + 7)} ${wordAt(number * 17 + 3)}`

/** The time that 95 of 100 searches stay below, in milliseconds. */
async function p95(search: (query: string) => unknown): Promise<number> {
  const taken: number[] = []
  for (let number = 0; number < SEARCHES; number += 1) {
    const start = performance.now()
    await search(queryAt(number))
    taken.push(performance.now() - start)
  }
  return taken.sort((a, b) => a - b)[Math.floor(SEARCHES * 0.95)] ?? Number.NaN
}

async function search(memory: OpenMemory, folder: string, rounds: number): Promise<Row> {
  const bare = openDatabase(join(folder, 'fts.sqlite'))
  bare.exec("CREATE VIRTUAL TABLE note USING fts5 (text, tokenize = 'porter unicode61')")
  for (let number = 0; number < MEMORIES; number += 1) {
    const content = `${textAt(number)} number${number}`
    await memory.memories.store(OWNER, { namespace: 'notes', content, metadata: {} })
    bare.run('INSERT INTO note VALUES (?)', content)
  }
  const ours = () => p95((query) => memory.memories.search(OWNER, { namespace: 'notes', query, k: 5 }))
  const theirs = () => p95((query) => bare.all('SELECT text, bm25(note) AS score FROM note WHERE note MATCH ? ORDER BY score LIMIT 5', query.replace(' ', ' OR ')))
  const taken = await takeTurns(rounds, { ours, theirs })
  bare.close()
  return compared({ id: 'memory.search.p95', baseline: 'FTS5', unit: 'ms', better: 'less', ...taken })
}

async function keys({ keyValues }: OpenMemory, folder: string, { rounds, sliceMs }: Effort): Promise<Row> {
  const bare = openDatabase(join(folder, 'kv.sqlite'))
  bare.exec('CREATE TABLE kv (key TEXT PRIMARY KEY, value TEXT)')
  let [mine, other] = [0, 0]
  const ours = () => callsPerSecond(sliceMs, async () => {
    const key = `key:${(mine += 1) % 500}`
    if (mine % 2 === 0) await keyValues.set(OWNER, { key, value: 'v'.repeat(100), ttlSeconds: 60 })
    else await keyValues.get(OWNER, key)
  })
  const theirs = () => callsPerSecond(sliceMs, () => {
    const key = `key:${(other += 1) % 500}`
    if (other % 2 === 0) bare.run('INSERT OR REPLACE INTO kv VALUES (?, ?)', key, 'v'.repeat(100))
    else bare.get('SELECT value FROM kv WHERE key = ?', key)
  })
  const taken = await takeTurns(rounds, { ours, theirs })
  bare.close()
  return compared({ id: 'kv.rps', baseline: 'bare SQLite', unit: 'calls/s', better: 'more', ...taken })
}

async function run(effort: Effort): Promise<readonly Row[]> {
  return inTempDir(async (folder) => {
    const memory = createMemory(join(folder, 'memory'), LIMITS, { now: () => Date.now() })
    const rows = [await keys(memory, folder, effort), await search(memory, folder, effort.rounds)]
    await memory.close()
    return rows
  })
}

export const state: Bench = { ids: ['kv.rps', 'memory.search.p95'], run }
