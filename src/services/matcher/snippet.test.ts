import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { snippetOf } from './snippet.ts'

const around = (line: string, text: string, maxChars: number) => snippetOf(line, { at: line.indexOf(text), length: text.length }, maxChars)

describe('snippetOf', () => {
  it('is the whole line when there is room for it', () => {
    expect(around('one two', 'two', 7)).toEqual({ snippet: 'one two', isCut: false })
  })

  it('has the match in the middle, and as much as fits at the ends of the line', () => {
    const line = `${'a'.repeat(50)}HIT${'b'.repeat(50)}`
    expect(around(line, 'HIT', 13)).toEqual({ snippet: 'aaaaaHITbbbbb', isCut: true })
    expect(around(`HIT${'b'.repeat(50)}`, 'HIT', 10).snippet).toBe('HITbbbbbbb')
    expect(around(`${'a'.repeat(50)}HIT`, 'HIT', 10).snippet).toBe('aaaaaaaHIT')
  })

  it('is the start of a match that is too long for it', () => {
    expect(around(`--${'x'.repeat(50)}`, 'x'.repeat(50), 10).snippet).toBe('xxxxxxxxxx')
  })

  it('never cuts a cluster: letters with marks, flags, families', () => {
    for (const cluster of ['e\u0301\u0302', '🇩🇪', '👨‍👩‍👧', '🙂']) {
      const line = `${cluster.repeat(20)}HIT${cluster.repeat(20)}`
      for (let max = 20; max < 60; max += 1) {
        const { snippet } = around(line, 'HIT', max)
        expect(snippet.length).toBeLessThanOrEqual(max)
        expect(snippet.replaceAll(cluster, '')).toBe('HIT')
      }
    }
  })

  it('is bounded, well formed and part of the line for every text', () => {
    const part = fc.constantFrom('a', 'é', 'e\u0301', '🙂', '🇩🇪', '👨‍👩‍👧', '\u0301'.repeat(200), ' ')
    fc.assert(fc.property(fc.array(part, { minLength: 1, maxLength: 40 }), fc.nat(), fc.nat(20), fc.integer({ min: 1, max: 50 }), (parts, seed, length, max) => {
      const line = parts.join('')
      const at = seed % line.length
      const { snippet, isCut } = snippetOf(line, { at, length: Math.min(length, line.length - at) }, max)
      expect(snippet.length).toBeLessThanOrEqual(max)
      expect(line).toContain(snippet)
      expect(isCut).toBe(snippet !== line)
      expect(/\p{Cs}/u.test(snippet)).toBe(false)
    }), { numRuns: 2000 })
  })
})
