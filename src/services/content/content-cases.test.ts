/** Every line of the shared cases of JSON, text and Markdown. */

import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Case, Verdict } from '../../../test/cases/case.ts'
import { runJsonCase } from '../../../test/cases/json.ts'
import { runMarkdownCase } from '../../../test/cases/markdown.ts'
import { runTextCase } from '../../../test/cases/text.ts'

const RUNNERS = { json: runJsonCase, text: runTextCase, markdown: runMarkdownCase } as const

describe.each(Object.keys(RUNNERS) as (keyof typeof RUNNERS)[])('%s cases', (area) => {
  const file = new URL(`../../../../shared/cases/${area}.jsonl`, import.meta.url)
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean).map((text) => JSON.parse(text) as Case<object>) : []
  const run = RUNNERS[area] as (line: Case<object>) => Promise<Verdict>

  it.skipIf(lines.length === 0)('are there, attacks and benign ones (skipped where the shared cases are absent)', () => {
    expect(lines.some(({ expect: what }) => what === 'allow') && lines.some(({ expect: what }) => what !== 'allow')).toBe(true)
  })

  it.each(lines.map((line) => [line.id, line.expect, line.note, line] as const))('%s: %s, %s', async (_id, _expect, _note, line) => {
    const verdict = await run(line)
    expect(verdict).toEqual({ right: true, got: verdict.got })
  })
})

describe('the runners judge what they are given', () => {
  const line = { id: 'own', area: 'own' } as const

  it.each([
    ['JSON bytes behind one byte order mark', runJsonCase({ ...line, input: { hex: 'efbbbf5b315d' }, expect: 'allow' }), true],
    ['JSON bytes behind two of them', runJsonCase({ ...line, input: { hex: 'efbbbfefbbbf5b315d' }, expect: 'refuse' }), true],
    ['JSON of which a string is merely composed', runJsonCase({ ...line, input: { text: '["cafe\u0301"]' }, expect: 'allow' }), true],
    ['JSON of which a string loses a character', runJsonCase({ ...line, input: { text: '["a\u200bb"]' }, expect: 'allow' }), false],
    ['JSON with a name that cannot be assigned', runJsonCase({ ...line, input: { text: '{"constructor":{"name":"x","prototype":{"polluted":1}}}' }, expect: 'strip' }), true],
    ['text bytes that stay', runTextCase({ ...line, input: { hex: 'efbbbf6869' }, expect: 'allow' }), true],
    ['text bytes that lose a character', runTextCase({ ...line, input: { hex: '61e2808b62' }, expect: 'allow' }), false],
    ['repeated text that loses characters', runTextCase({ ...line, input: { gen: { repeat: 'a\u200b', times: 3 } }, expect: 'allow' }), false],
    ['text that is merely composed', runTextCase({ ...line, input: { text: 'cafe\u0301' }, expect: 'allow' }), true],
  ] as const)('%s', async (_what, verdict, isRight) => {
    expect((await verdict).right).toBe(isRight)
  })
})
