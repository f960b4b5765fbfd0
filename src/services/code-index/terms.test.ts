import { describe, expect, it } from 'vitest'
import { synonymsOf, termsOf } from './terms.ts'
import { ABBREVIATIONS, SYNONYMS } from './vocabulary.ts'
import { identifiersOf } from './words.ts'

const terms = (text: string): readonly string[] => [...identifiersOf(text)].flatMap((words) => [...termsOf(words)])
const shared = (a: string, b: string): boolean => terms(a).some((term) => terms(b).includes(term))

describe('the terms of a word', () => {
  it.each([['parsing', 'parsed'], ['strs', 'string'], ['rm', 'remove'], ['dictionaries', 'dict'], ['makedirs', 'make directory'], ['isinstance', 'instance'], ['file_name', 'filename']])(
    '%s and %s have one in common', (a, b) => {
      expect(shared(a, b)).toBe(true)
    })

  it.each([['remove', 'regexp'], ['return', 'turn'], ['string', 'ring'], ['not', 'note']])('%s and %s have none', (a, b) => {
    expect(shared(a, b)).toBe(false)
  })

  it('are the whole identifier and its parts', () => {
    expect(terms('readJsonFile')).toEqual(['readjsonfil', 'read', 'json', 'file'])
  })

  it('are none for words without a subject, for long numbers and for data', () => {
    expect(terms(`the of is 12345678 ${'q'.repeat(40)}`)).toEqual([])
  })
})

describe('the vocabulary', () => {
  it('writes every abbreviation out to a word that is none', () => {
    for (const [short, word] of ABBREVIATIONS) {
      expect(short).toMatch(/^[a-z]+$/)
      expect(ABBREVIATIONS.has(word), `${short} → ${word}`).toBe(false)
    }
  })

  it('has synonyms both ways, and none of a word for itself', () => {
    for (const term of SYNONYMS.flat().map((word) => terms(word)[0] ?? word)) {
      const others = [...(synonymsOf(term) ?? [])]
      expect(others.length, term).toBeGreaterThan(0)
      expect(others).not.toContain(term)
      for (const other of others) expect([...(synonymsOf(other) ?? [])], other).toContain(term)
    }
  })
})
