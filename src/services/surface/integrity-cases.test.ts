/** Every line of the shared cases of changed definitions, through the published digests. */

import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { runIntegrityCase } from '../../../test/cases/integrity.ts'
import type { IntegrityCase } from '../../../test/cases/integrity.ts'

const file = new URL('../../../../shared/cases/integrity.jsonl', import.meta.url)
const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean).map((text) => JSON.parse(text) as IntegrityCase) : []

describe('changed definitions', () => {
  it.skipIf(lines.length === 0)('are there, and unchanged ones (skipped where the shared cases are absent)', () => {
    expect(new Set(lines.map((line) => line.expect))).toEqual(new Set(['allow', 'refuse']))
  })

  it.each(lines.map((line) => [line.id, line.expect, line.note, line] as const))('%s: %s, %s', async (_id, _expect, _note, line) => {
    expect(await runIntegrityCase(line)).toEqual({ right: true, got: line.expect })
  })

  it.each([
    ['is spelled otherwise', '{ "description": "\\u0078", "name": "a" }', 'allow'],
    ['names a key twice, whichever a reader takes', '{"name":"a","description":"y","description":"x"}', 'refuse'],
    ['is not JSON', '{"name":"a","description":"x",}', 'refuse'],
  ] as const)('are judged by their text: one that %s', async (_what, nowText, got) => {
    const line: IntegrityCase = { id: 'own', area: 'integrity', expect: got, input: { approvedText: '{"name":"a","description":"x"}', nowText } }
    expect(await runIntegrityCase(line)).toEqual({ right: true, got })
  })
})
