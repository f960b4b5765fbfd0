/** Every quantity of the documents names what proves it, and that says the same. Pages made from the code are their own proof. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ROOT } from '../process/built-binary.ts'
import { documents } from './fences.ts'
import { unproved } from './proofs.ts'

/** What people promise: no program can keep it. */
const PROMISES: readonly (readonly [file: string, text: string])[] = [
  ['SECURITY.md', 'three working days'],
  ['SECURITY.md', 'ninety days'],
]

/** The numbers change with each run. */
const measuredRow = (of: 'ours' | 'theirs' | 'ratio'): number =>
  (JSON.parse(readFileSync(join(ROOT, 'bench/results.json'), 'utf8')) as readonly ({ readonly id: string } & Readonly<Record<typeof of, number>>)[]).find(({ id }) => id === 'http.guards')?.[of] ?? Number.NaN

it.each(documents())('%s has no number without a proof', (file) => {
  const text = readFileSync(join(ROOT, file), 'utf8')
  const promised = PROMISES.filter(([of]) => of === file).map(([, one]) => one)
  for (const one of promised) expect(text).toContain(one)
  expect(unproved(promised.reduce((rest, one) => rest.replaceAll(one, 'in time'), text)).map((problem) => `${file}:${problem}`)).toEqual([])
})

it.each([
  ['It takes 5 ms.', 'no number'],
  ['Under three minutes', 'a number in words'],
  ['It works within a second.', 'one unit'],
  ['| size |\n|---|\n| 12 MB |', 'a table'],
  ['- 1,000 files', 'a list'],
  ['28 % of it.\n<!-- proof: bench no.such -->', 'a bench that is not there'],
  ['12 bytes.\n<!-- proof: test test/no-such.test.ts -->', 'a test that is not there'],
  ['7,777 bytes.\n<!-- proof: test test/contract/tools.test.ts -->', 'a test that does not have the number'],
  ['257 MB by default.\n<!-- proof: setting AUDIT_ARCHIVE_BYTES -->', 'another default'],
  ['It waits `ARROWHEAD_AUDIT_FLUSH_MS` (21 ms).', 'another default of the setting beside it'],
  ['It waits `ARROWHEAD_AUDIT_FLUSH_MS` (20 s).', 'the default in another unit'],
  ['It waits `ARROWHEAD_AUDIT_FLUSH_MS` (0.02 bytes).', 'the default as a size'],
  ['It takes 9,999,999 calls.\n<!-- proof: bench http.auth.rps -->', 'a bench that measured another number'],
  ['It costs 99 %.\n<!-- proof: bench http.guards -->', 'a bench that measured another share'],
  ['It takes 7 s.\n<!-- proof: bench http.scale -->', 'a bench that measured no time'],
  ['| c | calls | 9,999,999 | `npm run bench -- --only http.auth.rps` |\n|---|---|---|---|', 'a factor that was measured otherwise'],
  ['| e | scripts | 17,000 | `redis-benchmark -n 1` |\n|---|---|---|---|\n| t | tickets | 330 µs | the same |', 'the command of another program'],
  ['It takes 7 s.\n<!-- proof: run npm run no-such -->', 'a command that is not there'],
  ['| e | scripts | 300 | `npm run bench` |\n|---|---|---|---|\n\nSo 200.\n<!-- proof: from e / 3 -->', 'another sum'],
  ['It takes 7 s.\n<!-- proof: trust me -->', 'no proof at all'],
])('refuses %j: %s', (text) => {
  expect(unproved(text)).not.toEqual([])
})

it.each([
  'RFC 9728 §3.3, OAuth 2.1, HTTP 403, port 8000, exit code 78, 2026-01-31, SHA-256, Node.js 20',
  '## 1. A step',
  '1. A step',
  '`12 ms` is code',
  '```\n12 ms\n```',
  '256 MB.\n<!-- proof: setting AUDIT_ARCHIVE_BYTES -->',
  'It waits `ARROWHEAD_AUDIT_FLUSH_MS` (20 ms).',
  'It waits `ARROWHEAD_AUDIT_FLUSH_MS` (0.02 s).',
  `${measuredRow('ours')} calls, beside ${measuredRow('theirs')}, which is ${measuredRow('ratio')} ×.\n<!-- proof: bench http.guards -->`,
  `It costs ${Math.round(100 * (1 - measuredRow('ratio')))} %.\n<!-- proof: bench http.guards -->`,
  '| d | calls | 12 ms | `npm run bench:scale -- --only redis` |\n|---|---|---|---|\n| e | scripts | 300 | the same |\n\nSo 100.\n<!-- proof: from e / 3 -->',
])('accepts %j', (text) => {
  expect(unproved(text)).toEqual([])
})
