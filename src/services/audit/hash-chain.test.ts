import { createHash, createHmac } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AuditRow } from '../../kernel/audit.ts'
import { sampleRow } from './audit.fixture.ts'
import { AUDIT_COLUMN_NAMES, canonicalRow, GENESIS, genesisHash, rowHash } from './hash-chain.ts'

const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 4 }), fc.constantFrom('', '"', '","', '\\', '[', ','))
const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0)
const row = fc.record(
  Object.fromEntries(AUDIT_COLUMN_NAMES.map((name) => [name, name === 'at' || name === 'ms' ? number : text])),
) as unknown as fc.Arbitrary<AuditRow>
const place = fc.tuple(text, fc.nat(), row)

describe('the canonical text of a row', () => {
  it('differs whenever the previous hash, the number or any column differs', () => {
    fc.assert(
      fc.property(place, place, (a, b) => {
        const equal = JSON.stringify(a) === JSON.stringify(b)
        expect(canonicalRow(...a) === canonicalRow(...b)).toBe(equal)
      }),
    )
  })

  it('does not confuse texts that run over a column border', () => {
    fc.assert(
      fc.property(text, text, text, (a, b, c) => {
        fc.pre(b !== '')
        const left = canonicalRow('p', 1, sampleRow('i', { code: a + b, reason: c }))
        expect(left).not.toBe(canonicalRow('p', 1, sampleRow('i', { code: a, reason: b + c })))
      }),
    )
  })

  it('does not depend on the order in which a row was built', () => {
    const sample = sampleRow('i')
    const turned = Object.fromEntries(Object.entries(sample).reverse()) as unknown as AuditRow
    expect(canonicalRow('p', 1, turned)).toBe(canonicalRow('p', 1, sample))
  })

  it('is the text that existing trails were hashed from', () => {
    expect(canonicalRow('p', 7, sampleRow('i', { code: 'é"' }))).toBe(
      '["arrowhead-audit-1","p",7,"i",1767225600000,"stdio","tool","calculate","local","{expression: string(5)}",' +
        '"ok","é\\"","",1.25,""]',
    )
  })
})

describe('the hash of a row', () => {
  const sample = sampleRow('i')

  it('is SHA-256 of the canonical text, and HMAC-SHA-256 under a key', () => {
    const canonical = canonicalRow(GENESIS, 1, sample)
    expect(rowHash(GENESIS, 1, sample)).toBe(createHash('sha256').update(canonical).digest('hex'))
    expect(rowHash(GENESIS, 1, sample, 'key')).toBe(createHmac('sha256', 'key').update(canonical).digest('hex'))
  })

  it('begins at a constant, or at one that depends on the key', () => {
    expect(GENESIS).toBe('f4ad8a6ef97adf977a0e07a7f44f0d0344506fc6385f478032d109508d25b831')
    expect(new Set([GENESIS, genesisHash('a'), genesisHash('b')]).size).toBe(3)
  })

  it('changes with every column', () => {
    const before = rowHash(GENESIS, 1, sample)
    for (const name of AUDIT_COLUMN_NAMES) {
      const value = sample[name]
      const changed = { ...sample, [name]: typeof value === 'number' ? value + 1 : `${value}x` }
      expect(rowHash(GENESIS, 1, changed), name).not.toBe(before)
    }
  })
})
