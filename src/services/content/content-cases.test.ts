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
