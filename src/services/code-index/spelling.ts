/** Finds the words that a mistyped one may have been: the words of declaration names, few edits away, with the same first letter. */

import type { Database } from '../../exits/disk/database.ts'
import { COMPOUND_WORDS } from './vocabulary.ts'

const MIN_CHARS = 5
/** From this length on two edits are forgiven, below it one. */
const TWO_EDITS_CHARS = 8
/** Words looked at, in their order, and words given. */
const [MAX_SCANNED, MAX_FOUND] = [20_000, 64]

/** Insertions, deletions, substitutions and swaps of neighbours between two words; anything above `most` is `most + 1`. */
export function editsBetween(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1
  let before: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1]
      let edits = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) edits = Math.min(edits, (before[j - 2] ?? 0) + 1)
      row.push(edits)
    }
    if (Math.min(...row) > most) return most + 1
    before = last
    last = row
  }
  return Math.min(last[b.length] ?? 0, most + 1)
}

export interface Correction {
  readonly word: string
  readonly edits: number
}

/** At most 64 likely words for a folded one, nearest first. */
export function correctionsOf(db: Database, word: string): readonly Correction[] {
  if (word.length < MIN_CHARS) return []
  const most = word.length >= TWO_EDITS_CHARS ? 2 : 1
  const first = [...word][0] ?? ''
  const rows = db.all('SELECT word FROM word WHERE word >= ? AND word < ? LIMIT ?', first, `${first}\u{10ffff}`, MAX_SCANNED)
  const words = new Set(rows.map((row) => String(row['word'])))
  for (const general of COMPOUND_WORDS) if (general.startsWith(first)) words.add(general)
  const found: Correction[] = []
  for (const other of words) {
    const edits = editsBetween(word, other, most)
    if (edits > 0 && edits <= most) found.push({ word: other, edits })
  }
  return found.sort((a, b) => a.edits - b.edits || (a.word < b.word ? -1 : 1)).slice(0, MAX_FOUND)
}
