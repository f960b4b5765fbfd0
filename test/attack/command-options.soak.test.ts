import { expect, it } from 'vitest'
import { fuzzCommands, tableOf } from './command-fuzz.ts'
import { canWatch } from './command-watch.ts'

const seed = process.env['SEED'] === 'random' ? Date.now() : 1

// Watching needs namespaces and strace(1); without them the judging alone is looked at.
it('no dangerous command passes, and what passes does nothing but look', async () => {
  const rows = await fuzzCommands({ runs: canWatch() ? 60 : 0, seed })
  console.log(`seed ${seed}\n${tableOf(rows)}`)
  expect(rows.flatMap(({ dangerousPassed }) => dangerousPassed)).toEqual([])
  expect(rows.flatMap(({ acted }) => acted)).toEqual([])
  expect(rows.reduce((sum, { made }) => sum + made, 0)).toBeGreaterThan(500)
}, 1_800_000)
