import { expect, it } from 'vitest'
import { createRecent } from './recent.ts'

it('forgets what was used longest ago when there is too much', () => {
  const recent = createRecent<number>(10)
  recent.keep('a', 1, 4)
  recent.keep('b', 2, 4)
  expect(recent.get('a')).toBe(1)
  recent.keep('c', 3, 4)
  expect(['a', 'b', 'c'].map((key) => recent.get(key))).toEqual([1, undefined, 3])
})

it('weighs a key anew when it is kept again, and keeps nothing that is too heavy', () => {
  const recent = createRecent<number>(10)
  for (const weight of [6, 6, 6]) recent.keep('a', weight, weight)
  recent.keep('b', 2, 4)
  recent.keep('c', 3, 11)
  expect(['a', 'b', 'c'].map((key) => recent.get(key))).toEqual([6, 2, undefined])
})
