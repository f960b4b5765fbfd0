import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fold, identifiersOf, splitIdentifier } from './words.ts'

const words = (text: string): readonly string[] => [...identifiersOf(text)].map((parts) => parts.join(' '))

describe('an identifier', () => {
  it.each([
    ['parseHTTPResponse', 'parse http response'], ['XMLHttpRequest', 'xml http request'], ['snake_case_name', 'snake case name'],
    ['kebab-case-name', 'kebab case name'], ['SCREAMING_SNAKE', 'screaming snake'], ['utf8Decoder2', 'utf 8 decoder 2'],
    ['__init__', 'init'], ['$scope', 'scope'], ['größeÄndern', 'größe ändern'], ['ЧитатьФайл', 'читать файл'], ['読み込む', '読み込む'],
    ['ﬁleName', 'file name'], ['e\u0301tatInitial', 'état initial'],
  ])('%s is read as %s', (identifier, parts) => {
    expect(words(identifier)).toEqual([parts])
  })

  it('loses nothing but its separators when it is split', () => {
    const sign = fc.oneof(fc.constantFrom(...'aZ9_$é漢ǅʰ\u0301٣'), fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }))
    fc.assert(fc.property(fc.array(sign, { maxLength: 40 }), (signs) => {
      const identifier = signs.join('').replace(/[^\p{L}\p{M}\p{N}_$]/gu, '')
      expect(splitIdentifier(identifier).join('')).toBe(identifier.replace(/[_$]/g, ''))
    }), { numRuns: 500 })
  })

  it('is split alike however it is written', () => {
    const word = fc.stringMatching(/^[a-z]{2,8}$/)
    fc.assert(fc.property(fc.array(word, { minLength: 2, maxLength: 5 }), (parts) => {
      const upper = parts.map((part) => part.charAt(0).toUpperCase() + part.slice(1))
      const forms = [parts.join('_'), parts.join('-'), upper.join(''), parts.join('_').toUpperCase(), [parts[0], ...upper.slice(1)].join('')]
      expect(new Set(forms.map((form) => words(form).join()))).toEqual(new Set([parts.join(' ')]))
    }))
  })

  it('of more than 64 characters is data and not split', () => {
    expect(words(`before ${'a1B2'.repeat(20)} after`)).toEqual(['before', 'after'])
  })
})

describe('a text', () => {
  it('of one line and a million characters is read to its end', () => {
    for (const unit of ['a', 'A', '_', '1', 'aB', 'Aa', '\u0301', '漢', '-', 'a-', '\ud800', ' ', '😀']) {
      const text = `${unit.repeat(1_000_000 / unit.length)} end`
      expect(words(text).at(-1)).toBe('end')
    }
  })

  it('of any characters gives only words of letters, marks and digits', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
      for (const parts of identifiersOf(text)) for (const part of parts) expect(part).toMatch(/^[\p{L}\p{M}\p{N}]+$/u)
    }), { numRuns: 500 })
  })

  it('gives no more words than are asked for', () => {
    expect([...identifiersOf('one two three four', 2)]).toHaveLength(2)
  })
})

it('folding takes away case and width', () => {
  expect(fold('ＦｏｏBAR')).toBe('foobar')
})
