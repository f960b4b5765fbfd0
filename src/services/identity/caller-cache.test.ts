import { expect, it } from 'vitest'
import { createCallerCache } from './caller-cache.ts'

it('drops the least recently used entry when it is full', () => {
  const cache = createCallerCache<string>(2)
  cache.set('a', 1, 'A', 100)
  cache.set('b', 1, 'B', 100)
  expect(cache.get('a', 1, 0)).toBe('A')
  cache.set('c', 1, 'C', 100)
  expect([cache.get('a', 1, 0), cache.get('b', 1, 0), cache.get('c', 1, 0)]).toEqual(['A', undefined, 'C'])
})

it('is empty after a change of keys, and for an entry whose time is over', () => {
  const cache = createCallerCache<string>()
  cache.set('a', 1, 'A', 100)
  expect(cache.get('a', 1, 99)).toBe('A')
  expect(cache.get('a', 1, 100)).toBeUndefined()
  cache.set('a', 1, 'A', 100)
  expect(cache.get('a', 2, 0)).toBeUndefined()
})
