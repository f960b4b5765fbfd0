import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AuditRow } from '../../kernel/audit.ts'
import { anyRow } from './any-row.fixture.ts'
import { sampleRow } from './audit.fixture.ts'
import { AUDIT_FIELDS, canonicalRow, parseRow } from './canonical-row.ts'
import { storableRow } from './storable-row.ts'

describe('the canonical text of a row', () => {
  it('is the text that trails are hashed from', () => {
    expect(canonicalRow(sampleRow('i', { code: 'é"' }))).toBe(
      '["i",1767225600000,"stdio","tool","calculate","local","{expression: string(5)}","ok","é\\"","",1.25,""]',
    )
  })

  it('is what JSON makes of the storable row, however it was put together', () => {
    fc.assert(
      fc.property(anyRow, (row) => {
        const storable = storableRow(row)
        expect(canonicalRow(row)).toBe(JSON.stringify(AUDIT_FIELDS.map((name) => storable[name])))
      }),
      { numRuns: 2_000 },
    )
  })

  it('differs whenever any part of the row differs', () => {
    fc.assert(
      fc.property(anyRow, anyRow, fc.constantFrom(...AUDIT_FIELDS), (a, b, name) => {
        const mixed = { ...a, [name]: b[name] }
        const same = storableRow(a)[name] === storableRow(b)[name]
        expect(canonicalRow(mixed) === canonicalRow(a)).toBe(same)
      }),
    )
  })

  it('does not confuse texts that run over a border', () => {
    const text = fc.constantFrom('"', '","', '\\', '[', ',', 'a', '')
    fc.assert(
      fc.property(text, text, text, (a, b, c) => {
        fc.pre(b !== '')
        const left = canonicalRow(sampleRow('i', { code: a + b, reason: c }))
        expect(left).not.toBe(canonicalRow(sampleRow('i', { code: a, reason: b + c })))
      }),
    )
  })

  it('does not depend on the order in which a row was built', () => {
    const sample = sampleRow('i')
    const turned = Object.fromEntries(Object.entries(sample).reverse()) as unknown as AuditRow
    expect(canonicalRow(turned)).toBe(canonicalRow(sample))
  })

  it('has nothing in the place of what is no text and no number', () => {
    for (const name of AUDIT_FIELDS) {
      const sample = sampleRow('odd')
      const [odd, nothing] = typeof sample[name] === 'string' ? [undefined, ''] : ['1', 0]
      expect(parseRow(canonicalRow({ ...sample, [name]: odd } as AuditRow)), name).toEqual({ ...sample, [name]: nothing })
    }
  })
})

describe('a canonical text', () => {
  it('is read back as the row that it was made of', () => {
    fc.assert(
      fc.property(anyRow, (row) => {
        expect(parseRow(canonicalRow(row))).toEqual(storableRow(row))
      }),
    )
  })

  it.each([
    ['', 'empty'],
    ['{}', 'no list'],
    ['["i"]', 'too short'],
    [canonicalRow(sampleRow('i')).replace(']', ',""]'), 'too long'],
    [canonicalRow(sampleRow('i')).replace('"i"', '7'), 'a number for a text'],
    [canonicalRow(sampleRow('i')).replace('1.25', '"1.25"'), 'a text for a number'],
    [canonicalRow(sampleRow('i')).slice(0, -1), 'cut'],
  ])('is none when it is %j (%s)', (text) => {
    expect(parseRow(text)).toBeUndefined()
  })
})
