import { expect, it } from 'vitest'
import { TOKEN, open, openAsAnn, valueOf } from './docs.fixture.ts'

it('tells type, place and placeholder of what it finds, and never the value', async () => {
  const outcome = await open().call('doc_scan')
  const found = valueOf(outcome)
  expect(found).toMatchObject({ path_prefix: '', files_scanned: 4, files_skipped: 0, finding_count: 2, truncated: false })
  expect(found['findings']).toEqual([
    { path: 'exports/users.json', line: 1, column: expect.any(Number), type: 'EMAIL', match: expect.stringMatching(/^\[REDACTED:EMAIL:[0-9a-f]+\]$/) },
    { path: 'exports/users.json', line: 1, column: expect.any(Number), type: 'GITHUB_TOKEN', match: expect.stringMatching(/^\[REDACTED:GITHUB_TOKEN:/) },
  ])
  for (const value of [TOKEN, 'ann@example.org']) expect(JSON.stringify(outcome)).not.toContain(value)
})

it('scans what the caller may scan, and counts nothing else', async () => {
  const { call } = openAsAnn()
  expect(valueOf(await call('doc_scan'))).toMatchObject({ files_scanned: 3, finding_count: 2 })
  expect(valueOf(await call('doc_scan', { path_prefix: 'hr/' }))).toMatchObject({ files_scanned: 0, finding_count: 0 })
})

it('gives equal values equal placeholders within a process', async () => {
  const { call } = open({ documents: { 'a.txt': `x ${TOKEN}`, 'b.txt': `y: ${TOKEN}` } })
  const findings = valueOf(await call('doc_scan'))['findings'] as readonly { match: string }[]
  expect(findings).toHaveLength(2)
  expect(new Set(findings.map(({ match }) => match)).size).toBe(1)
})

it('stops at the limits of the operator and says at which', async () => {
  expect(valueOf(await open({ settings: { scanMaxFindings: 1 } }).call('doc_scan'))).toMatchObject({ finding_count: 1 })
  expect(valueOf(await open({ settings: { scanMaxFiles: 1 } }).call('doc_scan'))).toMatchObject({ files_scanned: 1 })
  expect(valueOf(await open({ settings: { scanPerFileMaxBytes: 40 } }).call('doc_scan'))).toMatchObject({ files_scanned: 2, files_skipped: 2 })
})
