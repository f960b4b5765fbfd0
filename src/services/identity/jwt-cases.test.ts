/** Every line of the shared access-token cases, through a real door. */

import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { runJwtCase } from '../../../test/cases/jwt.ts'
import type { JwtCase } from '../../../test/cases/jwt.ts'

const file = new URL('../../../../shared/cases/jwt.jsonl', import.meta.url)
const lines: readonly JwtCase[] = existsSync(file)
  ? readFileSync(file, 'utf8').split('\n').filter((line) => line.trim() !== '').map((line) => JSON.parse(line) as JwtCase)
  : []

describe('access-token cases', () => {
  it.skipIf(lines.length === 0)('finds cases of both kinds (skipped where the shared cases are absent)', () => {
    expect(new Set(lines.map((line) => line.expect))).toEqual(new Set(['allow', 'refuse']))
  })

  it.each(lines.map((line) => [line.id, line.expect, line.note, line] as const))('%s: %s, %s', async (_id, _expect, _note, line) => {
    const verdict = await runJwtCase(line)
    expect(verdict).toEqual({ right: true, got: verdict.got })
  })
})
