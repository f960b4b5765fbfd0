/** Keyword recall on a server: the same formula as the embedded one (`recall.ts`), computed where the words are. */

import { all } from '../../kernel/ports/store.ts'
import type { Steps, StoreRow } from '../../kernel/ports/store.ts'
import type { MemoryHit } from '../../kernel/ports/memory.ts'
import { queryWords } from './recall.ts'
import { snippetOf } from './snippet.ts'
import { metadataOf, textOf } from './stored-text.ts'

export interface Wanted {
  readonly owner: string
  /** The namespace. */
  readonly name: Uint8Array
  readonly query: string
  readonly k: number
}

const RANKED = `
WITH here AS (SELECT number, CAST(entries AS double precision) AS entries, greatest(1, words) / CAST(entries AS double precision) AS mean FROM memory_space WHERE owner = ? AND name = ?),
found AS MATERIALIZED (
  SELECT memory_word.word, memory_word.memory, CAST(times AS double precision) AS times, length FROM memory_word, here WHERE space = here.number AND word = ANY (CAST(? AS text[]))
),
weighed AS (SELECT word, ln(1 + ((SELECT entries FROM here) - count(*) + 0.5) / (count(*) + 0.5)) AS weight FROM found GROUP BY word),
ranked AS (
  SELECT found.memory, sum(weight * times * 2.2 / (times + 1.2 * (0.25 + 0.75 * length / (SELECT mean FROM here)))) AS score
  FROM found JOIN weighed USING (word) GROUP BY found.memory ORDER BY score DESC, found.memory LIMIT ?
)
SELECT id, metadata, content, score FROM ranked JOIN memory ON memory.number = ranked.memory ORDER BY score DESC, memory.number`

export function* recallByWords({ owner, name, query, k }: Wanted): Steps<readonly MemoryHit[]> {
  const words = queryWords(query)
  if (words.size === 0 || !(k >= 1)) return []
  const rows = yield* all(RANKED, owner, name, [...words], k)
  return rows.map((row) => hitOf(row, words, Number(row['score'])))
}

export const hitOf = (row: StoreRow, words: ReadonlySet<string>, score: number): MemoryHit => ({
  id: String(row['id']), metadata: metadataOf(row), snippet: snippetOf(textOf(row['content']), words), score,
})
