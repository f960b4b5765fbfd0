/**
 * Keyword recall: Okapi BM25 (Robertson and Zaragoza, 2009, §3) over the words of one namespace, with the inverse
 * document frequency that never falls below zero. Computed where the postings are.
 */

import type { Database } from '../../exits/disk/database.ts'
import type { MemoryHit } from '../../kernel/ports/memory.ts'
import { snippetOf } from './snippet.ts'
import { metadataOf, textOf } from './stored-text.ts'
import { askedWords } from './words.ts'

/** Different words of a query that are looked up. */
const MAX_QUERY_WORDS = 64

const RANKED = `
WITH wanted AS (SELECT value AS word FROM json_each(?1)),
found AS MATERIALIZED (
  SELECT posting.word, memory, times, length FROM wanted CROSS JOIN posting WHERE namespace = ?2 AND posting.word = wanted.word
),
weighed AS (SELECT word, ln(1 + (?3 - count(*) + 0.5) / (count(*) + 0.5)) AS weight FROM found GROUP BY word)
SELECT memory, sum(weight * times * 2.2 / (times + 1.2 * (0.25 + 0.75 * length / ?4))) AS score
FROM found JOIN weighed USING (word) GROUP BY memory ORDER BY score DESC, memory LIMIT ?5`

export interface Wanted {
  readonly namespace: string
  readonly query: string
  readonly k: number
}

export function recall(db: Database, { namespace, query, k }: Wanted): readonly MemoryHit[] {
  const space = db.get('SELECT number, entries, words FROM namespace WHERE name = ?', namespace)
  const words = queryWords(query)
  if (space === undefined || words.size === 0) return []
  const [number, entries] = [Number(space['number']), Number(space['entries'])]
  const meanLength = Math.max(1, Number(space['words'])) / entries
  const ranked = db.all(RANKED, JSON.stringify([...words]), number, entries, meanLength, k)
  return ranked.flatMap(({ memory, score }) => {
    const row = db.get('SELECT id, metadata, content FROM memory WHERE number = ?', Number(memory))
    if (row === undefined) return []
    return [{ id: String(row['id']), metadata: metadataOf(row), snippet: snippetOf(textOf(row['content']), words), score: Number(score) }]
  })
}

export function queryWords(query: string): ReadonlySet<string> {
  const words = new Set<string>()
  for (const { word } of askedWords(query)) {
    words.add(word)
    if (words.size >= MAX_QUERY_WORDS) break
  }
  return words
}
