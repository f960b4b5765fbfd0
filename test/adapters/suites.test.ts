/** The page of adapters says what the test files say: no suite is missing there, and none is made up. */

import { readFileSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { rowOf, suitesIn } from './suites.ts'

const folder = fileURLToPath(new URL('.', import.meta.url))
const page = readFileSync(new URL('../../docs/reference/adapters.md', import.meta.url), 'utf8')

it('docs/reference/adapters.md has a row for each adapter that a contract is run on (npm run adapters makes it anew)', () => {
  const rows = page.split('\n').filter((line) => line.includes('.test.ts')).map((line) => line.replace(/ \d+ /, ' 0 '))
  expect(rows).toEqual(suitesIn(folder).map((suite) => rowOf(suite, 0)))
})

it('every contract is run on two adapters or more, but for the bus, which one process does not need', () => {
  const contracts = readdirSync(folder).filter((file) => file.endsWith('.contract.ts'))
  const counted = new Map<string, number>()
  for (const { port } of suitesIn(folder)) counted.set(port, (counted.get(port) ?? 0) + 1)
  expect(counted.size).toBe(contracts.length)
  expect([...counted].filter(([port, count]) => count < (port === 'bus' ? 1 : 2))).toEqual([])
})
