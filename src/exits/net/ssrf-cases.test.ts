/** Every line of the shared case file, through the real exit with a stubbed look-up and socket. */

import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { SsrfCase } from '../../../test/cases/ssrf.ts'
import { runSsrfCase } from '../../../test/cases/ssrf.ts'

const file = new URL('../../../../shared/cases/ssrf.jsonl', import.meta.url)
const lines: readonly SsrfCase[] = existsSync(file)
  ? readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => JSON.parse(line) as SsrfCase)
  : []

describe('server-side request forgery cases', () => {
  it.skipIf(lines.length === 0)('finds cases of both kinds (skipped where the shared cases are absent)', () => {
    expect(new Set(lines.map((line) => line.expect))).toEqual(new Set(['allow', 'refuse']))
  })

  it.each([{ allowHosts: ['*'] }, { allowPorts: [0] }])('counts %j, which would stop the start, as a refusal', async (lists) => {
    const line: SsrfCase = { id: 'list', area: 'ssrf', input: { url: 'https://example.com/', dns: { 'example.com': ['93.184.215.14'] }, ...lists }, expect: 'refuse' }
    expect(await runSsrfCase(line)).toEqual({ right: true, got: 'refuse the start, dialled nothing' })
    expect(await runSsrfCase({ ...line, expect: 'allow' })).toMatchObject({ right: false })
  })

  it.each(lines.map((line) => [line.id, line.expect, line.note, line] as const))(
    '%s: %s, %s',
    async (_id, _expect, _note, line) => {
      const verdict = await runSsrfCase(line)
      expect(verdict).toEqual({ right: true, got: verdict.got })
    },
  )
})
