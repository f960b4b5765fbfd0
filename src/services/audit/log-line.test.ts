import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AuditRow, TrailHead } from '../../kernel/audit.ts'
import { anyRow } from './any-row.fixture.ts'
import { sampleRow } from './audit.fixture.ts'
import { logLine, parseAnchor } from './log-line.ts'
import { plainText } from './plain-row.ts'
import { clipText } from './storable-row.ts'

const HEAD = { seq: 12, hash: 'ab'.repeat(32) }

/** The line said once more, without any short cut. */
function plainlySaid(row: AuditRow, head?: TrailHead): string {
  const finite = (value: number): number => (Number.isFinite(value) ? value : 0)
  const optional = (name: string, value: string): object => (value === '' ? {} : { [name]: clipText(value, 512) })
  const line = JSON.stringify({
    ts: new Date(Math.min(Math.max(Math.trunc(finite(row.at)), -8.64e15), 8.64e15)).toISOString(),
    event: 'call',
    id: clipText(row.id, 512),
    door: clipText(row.door, 512),
    kind: clipText(row.kind, 512),
    component: clipText(row.component, 512),
    caller: clipText(row.caller, 256),
    args: clipText(row.args, 512),
    outcome: clipText(row.outcome, 512),
    ...optional('code', row.code),
    ...optional('reason', row.reason),
    ms: Math.round(finite(row.ms) * 1_000) / 1_000,
    ...optional('trace', row.trace),
    ...(head === undefined ? {} : { head: `${head.seq}:${clipText(head.hash, 512)}` }),
  })
  return line.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (found) =>
    Array.from({ length: found.length }, (_, at) => `\\u${found.charCodeAt(at).toString(16).padStart(4, '0')}`).join(''),
  )
}

describe('a log line', () => {
  it('holds every part of a row, and the head as an anchor', () => {
    const row = sampleRow('id-1', {
      outcome: 'refused',
      code: 'access.denied',
      reason: 'private',
      trace: 'ff',
      ms: 1.23456,
    })
    expect(logLine(row, HEAD)).toBe(
      '{"ts":"2026-01-01T00:00:00.000Z","event":"call","id":"id-1","door":"stdio","kind":"tool",' +
        '"component":"calculate","caller":"local","args":"{expression: string(5)}","outcome":"refused",' +
        `"code":"access.denied","reason":"private","ms":1.235,"trace":"ff","head":"12:${'ab'.repeat(32)}"}`,
    )
  })

  it('is the same byte for byte, whether it was put together or written by JSON', () => {
    const hash = fc.oneof({ weight: 9, arbitrary: fc.constant(HEAD.hash) }, { weight: 1, arbitrary: fc.string() })
    const head = fc.option(fc.record({ seq: fc.nat(), hash }), { nil: undefined })
    let plain = 0
    fc.assert(
      fc.property(anyRow, head, (row, place) => {
        plain += plainText(row) === undefined ? 0 : 1
        expect(logLine(row, place)).toBe(plainlySaid(row, place))
      }),
      { numRuns: 3_000 },
    )
    expect([plain > 300, plain < 2_700]).toEqual([true, true])
  })

  it.each([255, 256, 257, 511, 512, 513])('is the same byte for byte around a limit of %i characters', (length) => {
    for (const name of ['id', 'caller', 'args', 'trace'] as const) {
      const row = { ...sampleRow(''), door: '', kind: '', component: '', outcome: '', caller: '', args: '', [name]: 'x'.repeat(length) }
      expect(logLine(row as AuditRow)).toBe(plainlySaid(row as AuditRow))
    }
  })

  it('leaves out what is empty', () => {
    const line = JSON.parse(logLine(sampleRow('id-1'))) as Record<string, unknown>
    expect(Object.keys(line)).toEqual([
      'ts',
      'event',
      'id',
      'door',
      'kind',
      'component',
      'caller',
      'args',
      'outcome',
      'ms',
    ])
  })

  it('is one well-formed line without controls, whatever the texts hold', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({
        unit: fc.constantFrom(
          '\n',
          '\r',
          '\0',
          '\u001b[2J',
          '\u007f',
          '\u0085',
          '\u2028',
          '\u2029',
          '\u202e',
          '\u{e0041}',
          '\ud83d',
          '"',
          '\\',
        ),
      }),
    )
    const row = fc.record({
      id: text,
      component: text,
      caller: text,
      args: text,
      code: text,
      reason: text,
      trace: text,
    })
    fc.assert(
      fc.property(row, (changes) => {
        const line = logLine(sampleRow('', changes))
        expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u)
        const read = JSON.parse(line) as Record<string, unknown>
        expect(read).toMatchObject({ id: changes.id, component: changes.component, caller: changes.caller })
        expect(read['reason'] ?? '').toBe(changes.reason)
      }),
    )
  })

  it('cuts long texts between whole characters', () => {
    const long = '😀'.repeat(1_000_000)
    const line = logLine(sampleRow('i', { caller: long, reason: long, args: `x${long}` }))
    const { caller, reason, args } = JSON.parse(line) as Record<string, string>
    expect(caller).toBe(`${'😀'.repeat(127)}…`)
    expect(reason).toBe(`${'😀'.repeat(255)}…`)
    expect(args).toBe(`x${'😀'.repeat(255)}…`)
  })

  it.each([Number.NaN, Number.POSITIVE_INFINITY, -1e300])('survives the time %d', (at) => {
    expect(JSON.parse(logLine(sampleRow('i', { at, ms: at })))).toHaveProperty('ts')
  })
})

describe('the anchor of a log line', () => {
  it('is read back as the head it was made of', () => {
    const { head } = JSON.parse(logLine(sampleRow('i'), HEAD)) as { head: string }
    expect(parseAnchor(head)).toEqual(HEAD)
  })

  it.each(['', '12', `x:${HEAD.hash}`, `12:${HEAD.hash}0`, `-1:${HEAD.hash}`, `12:${HEAD.hash}\n`])(
    'is nothing when it is not spelled as one: %j',
    (text) => {
      expect(parseAnchor(text)).toBeUndefined()
    },
  )
})
