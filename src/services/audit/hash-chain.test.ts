import { createHash, createHmac } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createHashChain } from './hash-chain.ts'

const PLAIN = createHashChain()
const prev = fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 64, maxLength: 64 })
const body = fc.array(fc.oneof(fc.string({ unit: 'grapheme' }), fc.nat())).map((values) => JSON.stringify(values))
const place = fc.tuple(prev, fc.nat(), body)

describe('the hash of a row', () => {
  it('is SHA-256 of the hash before it, its number and its text', () => {
    fc.assert(
      fc.property(place, ([before, seq, text]) => {
        const hash = createHash('sha256').update(`${before}${seq}${text}`).digest('hex')
        expect(PLAIN.hashOf(before, seq, text)).toBe(hash)
      }),
    )
  })

  it('is HMAC-SHA-256 of the same under a key, whatever the key and the length of the text', () => {
    const key = fc.oneof(fc.string({ minLength: 1, maxLength: 140 }), fc.uint8Array({ minLength: 1, maxLength: 140 }))
    const text = fc.oneof(body, fc.tuple(fc.constantFrom('x', 'é', '日', '😀'), fc.nat(9_000)).map(([c, n]) => c.repeat(n)))
    fc.assert(
      fc.property(key, fc.array(fc.tuple(prev, fc.nat(), text), { maxLength: 4 }), (secret, places) => {
        const chain = createHashChain(secret)
        for (const [before, seq, content] of places) {
          const hmac = createHmac('sha256', secret).update(`${before}${seq}${content}`).digest('hex')
          expect(chain.hashOf(before, seq, content)).toBe(hmac)
        }
      }),
    )
  })

  it('differs whenever the hash before it, the number or the text differs', () => {
    fc.assert(
      fc.property(place, place, (a, b) => {
        expect(PLAIN.hashOf(...a) === PLAIN.hashOf(...b)).toBe(JSON.stringify(a) === JSON.stringify(b))
        expect(PLAIN.hashOf(a[0], a[1], a[2])).not.toBe(PLAIN.hashOf(a[0], a[1] + 1, a[2]))
      }),
    )
  })

  it('begins at a constant, or at one that depends on the key', () => {
    expect(PLAIN.genesis).toBe(createHash('sha256').update('arrowhead-audit-2').digest('hex'))
    expect(new Set([PLAIN, createHashChain('a'), createHashChain('b')].map(({ genesis }) => genesis)).size).toBe(3)
  })
})
