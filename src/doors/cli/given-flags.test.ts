import { expect, it } from 'vitest'
import { sameFlags } from './given-flags.ts'
import type { Terminal } from './terminal.ts'

const TERMINAL = { cwd: '/work' } as Terminal

it('names what was given, absolute and as a shell reads it, and nothing else', () => {
  expect(sameFlags(TERMINAL, { dataDir: 'data', config: '/etc/a.json', file: 'x' }, ['config', 'dataDir'])).toBe(' --config /etc/a.json --data-dir /work/data')
  expect(sameFlags(TERMINAL, { file: "it's; here" }, ['file', 'dataDir'])).toBe(" --file '/work/it'\\''s; here'")
  expect(sameFlags(TERMINAL, {}, ['file', 'config', 'dataDir'])).toBe('')
})
