/** Every line of the shared cases of costly and broken expressions, through the search runner. */

import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { runRedosCase } from '../../../test/cases/redos.ts'
import type { RedosCase } from '../../../test/cases/redos.ts'

const file = new URL('../../../../shared/cases/redos.jsonl', import.meta.url)
const lines: readonly RedosCase[] = existsSync(file)
  ? readFileSync(file, 'utf8').split('\n').filter((line) => line.trim() !== '').map((line) => JSON.parse(line) as RedosCase)
  : []
const core = lines.filter(({ tier }) => tier !== 'quality')

describe('costly and broken expressions', () => {
  it.skipIf(lines.length === 0)('finds cases of both kinds (skipped where the shared cases are absent)', () => {
    expect(new Set(core.map((line) => line.expect))).toEqual(new Set(['allow', 'refuse']))
  })

  it.each(core.map((line) => [line.id, line.expect, line.note, line] as const))('%s: %s, %s', async (_id, _expect, _note, line) => {
    expect(await runRedosCase(line)).toEqual({ right: true, got: expect.any(String) })
  })

  const own = (more: Partial<RedosCase>): RedosCase => ({
    id: 'own', area: 'redos', input: { pattern: 'a', flags: '', text: 'a\nb\na\n' }, expect: 'allow', budgetMs: 2000, matchingLines: 2, ...more,
  })

  it('are judged: a wrong count, a refusal too many and an answer too late are wrong', async () => {
    expect(await runRedosCase(own({}))).toEqual({ right: true, got: 'allow, 2 lines' })
    expect(await runRedosCase(own({ matchingLines: 1 }))).toMatchObject({ right: false })
    expect(await runRedosCase(own({ input: { pattern: '(', flags: '', text: 'a' } }))).toMatchObject({ right: false, got: 'refuse, 0 lines' })
    expect(await runRedosCase(own({ input: { pattern: '^A$', flags: 'gims', text: 'a\nb\na\n' } }))).toMatchObject({ right: true })
    expect(await runRedosCase(own({ input: { pattern: 'a', flags: 'gg', text: 'a' }, expect: 'refuse' }))).toMatchObject({ right: true })
    expect(await runRedosCase(own({ input: { pattern: 'a', flags: 'y', text: 'a' }, expect: 'refuse' }))).toMatchObject({ right: true })
    expect(await runRedosCase(own({ expect: 'refuse' }))).toMatchObject({ right: false })
    expect(await runRedosCase(own({ budgetMs: -1 }))).toMatchObject({ right: false, got: 'allow, 2 lines, too late' })
  })
})
