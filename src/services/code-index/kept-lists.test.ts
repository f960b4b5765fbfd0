import { expect, it } from 'vitest'
import type { Database } from '../../exits/disk/database.ts'
import { keptList } from './kept-lists.ts'
import type { Postings } from './posting-list.ts'

const list = (length: number): Postings => ({ files: new Array<number>(length).fill(1), ordinals: new Array<number>(length).fill(0), weights: new Array<number>(length).fill(9) })

/** A key alone: nothing is asked of it. */
const database = (): Database => ({}) as Database

it('reads a long list once for one state of the index, and again for the next one', () => {
  const db = database()
  let reads = 0
  const ask = (generation: number, term: number, length = 1_000): number => keptList(db, { generation, term }, () => {
    reads += 1
    return list(length)
  }).files.length
  ask(1, 7)
  ask(1, 7)
  expect(reads).toBe(1)
  ask(2, 7)
  expect(reads).toBe(2)
  ask(1, 7)
  expect(reads).toBe(3)
})

it('keeps no short list, none of another file, and forgets what was asked for longest ago', () => {
  const [db, reads] = [database(), new Map<number, number>()]
  const ask = (term: number, length: number, at = db): void => void keptList(at, { generation: 1, term }, () => {
    reads.set(term, (reads.get(term) ?? 0) + 1)
    return list(length)
  })
  for (const length of [10, 10]) ask(1, length)
  expect(reads.get(1)).toBe(2)
  ask(2, 150_000)
  ask(3, 150_000)
  ask(2, 150_000)
  ask(4, 150_000)
  ask(2, 150_000)
  expect([reads.get(2), reads.get(3)]).toEqual([1, 1])
  ask(3, 150_000)
  expect(reads.get(3)).toBe(2)
  ask(2, 150_000, database())
  expect(reads.get(2)).toBe(2)
})
