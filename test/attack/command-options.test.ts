import { expect, it } from 'vitest'
import { DANGERS } from './command-dangers.ts'
import { dangerous, fuzzCommands } from './command-fuzz.ts'

it.each(Object.keys(DANGERS))('no spelling of what %s must not do passes', (name) => {
  expect(dangerous(name).passed).toEqual([])
})

it('the spellings are many', () => {
  const made = Object.keys(DANGERS).reduce((sum, name) => sum + dangerous(name).made, 0)
  expect(made).toBeGreaterThan(5_000)
})

it('of the options that the help of programs on this machine names, nothing passes that is known to be dangerous', async () => {
  const rows = await fuzzCommands({ runs: 0, seed: 1 }, ['date', 'du', 'ss'])
  expect(rows.flatMap(({ dangerousPassed }) => dangerousPassed)).toEqual([])
})
