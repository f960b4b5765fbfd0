import { existsSync, readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Refusal } from '../../kernel/refusal.ts'
import { sanitiseJson } from './json-sanitiser.ts'
import { decodeUtf8 } from './text-encoding.ts'

const refusedAs = (code: string): unknown => expect.objectContaining({ code })

/** A decimal as a fraction of whole numbers, so that values are compared and not their spellings. */
const exact = (lexeme: string): string => {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(lexeme) ?? []
  const digits = (whole + fraction).replace(/^0+/, '')
  const significant = digits.replace(/0+$/, '')
  const power = Number(exponent) - fraction.length + (digits.length - significant.length)
  return significant === '' ? `${sign}0` : `${sign}${significant}e${power}`
}

describe('sanitiseJson', () => {
  it('writes one form for one value', () => {
    expect(sanitiseJson(' {"b" : [1, 2.50, true],\n "a": "\\u0041\\/"} ')).toBe('{"a":"A/","b":[1,2.5,true]}')
  })

  it.each([
    ['12345678901234567890', '12345678901234567890'],
    ['123456789012345678901234567890', '123456789012345678901234567890'],
    ['0.10000000000000000555', '0.10000000000000000555'],
    ['9007199254740993', '9007199254740993'],
    ['1e-400', '1e-400'],
    ['1E2', '100'],
    ['1.0', '1'],
    ['1e21', '1e+21'],
    ['1000000000000000000000', '1e+21'],
    ['0.0000001', '1e-7'],
    ['-0', '-0'],
    ['-0.00e5', '-0'],
    ['0e99999999999999999999', '0'],
    ['1.7976931348623157e308', '1.7976931348623157e+308'],
  ])('keeps the value of %s', (lexeme, canonical) => {
    expect(sanitiseJson(`[${lexeme}]`)).toBe(`[${canonical}]`)
  })

  it('never changes a number: its value is the same, and equal values are spelled alike', () => {
    const digits = fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 1, maxLength: 40 })
    const lexeme = fc.tuple(fc.boolean(), digits, fc.option(digits, { nil: undefined }), fc.option(fc.integer({ min: -400, max: 260 }), { nil: undefined }))
      .map(([minus, whole, fraction, exponent]) => `${minus ? '-' : ''}${whole.replace(/^0+(?=\d)/, '')}${fraction === undefined ? '' : `.${fraction}`}${exponent === undefined ? '' : `e${exponent}`}`)
    fc.assert(fc.property(lexeme, (text) => {
      const canonical = sanitiseJson(text)
      expect(exact(canonical)).toBe(exact(text))
      expect(sanitiseJson(canonical)).toBe(canonical)
      const padded = text.includes('.') ? text.replace(/(\.\d+)/, '$1000') : text.replace(/(\d+)/, '$1.000')
      expect(sanitiseJson(padded)).toBe(canonical)
      const value = Number(text)
      if (value !== 0 && exact(String(value)) === exact(text)) expect(canonical).toBe(String(value))
    }), { numRuns: 2_000 })
  })

  it.each([
    ['a number beyond doubles', '[1e400]'],
    ['a number with too many digits', `[0.${'1'.repeat(2_000)}]`],
    ['NaN', '[NaN]'],
    ['-Infinity', '[-Infinity]'],
    ['half of a surrogate pair', '["\\ud800"]'],
    ['halves in the wrong order', '["\\udc00\\ud800"]'],
    ['half of a pair in a name', '{"\\ud800":1}'],
    ['a name twice', '{"a":1,"a":1}'],
    ['a name twice, once escaped', '{"a":1,"\\u0061":2}'],
    ['names that are equal once they are clean', '{"a":1,"a\\u200b":2}'],
    ['a raw control character', '["a\u0001"]'],
    ['a string that ends in a backslash', '["a\\'],
    ['nothing', ''],
    ['blanks that JSON does not know', '[1\u00a0]'],
    ['two values', '1 2'],
    ['a byte order mark that no decoder dropped', '\ufeff1'],
    ['a byte order mark behind the value', '1\ufeff'],
  ])('refuses %s', (_what, text) => {
    expect(() => sanitiseJson(text)).toThrow(refusedAs('content.json'))
  })

  it('cleans strings and names like text, but leaves names as they are composed', () => {
    expect(sanitiseJson('{"k\\u200bey":"\\u001b[31mred\\u202e cafe\\u0301"}')).toBe('{"key":"red café"}')
    expect(Object.keys(JSON.parse(sanitiseJson('{"é":1,"e\u0301":2}')) as object)).toHaveLength(2)
  })

  it('keeps the controls that JSON spells with a letter', () => {
    expect(sanitiseJson('["\\b\\f\\n\\r\\t\\u0007"]')).toBe('["\\b\\f\\n\\r\\t"]')
  })

  it('keeps the line ends that JSON allows in a string, and spells them', () => {
    const clean = sanitiseJson('{"a\u2028b":"a\u2028b\u2029c","a\\nb":1}')
    expect(clean).toBe('{"a\\nb":1,"a\\u2028b":"a\\u2028b\\u2029c"}')
    expect(JSON.parse(clean)).toEqual({ 'a\u2028b': 'a\u2028b\u2029c', 'a\nb': 1 })
    expect(sanitiseJson(clean)).toBe(clean)
  })

  it('leaves out the names that reach a prototype', () => {
    expect(sanitiseJson('{"__proto__":{"x":1},"a":[{"__pro\\u200bto__":1}]}')).toBe('{"a":[{}]}')
    expect(sanitiseJson('{"constructor":{"name":"f","prototype":{"x":1}},"prototype":1}')).toBe('{"constructor":{"name":"f"},"prototype":1}')
  })

  it('bounds size, depth and elements, each at its number', () => {
    expect(sanitiseJson('[[1]]', { maxDepth: 2, maxElements: 3, maxBytes: 5 })).toBe('[[1]]')
    expect(() => sanitiseJson('[[1]]', { maxDepth: 1 })).toThrow(refusedAs('content.too-deep'))
    expect(() => sanitiseJson('[[1]]', { maxElements: 2 })).toThrow(refusedAs('content.too-large'))
    expect(() => sanitiseJson('[[1]]', { maxBytes: 4 })).toThrow(refusedAs('content.too-large'))
    expect(() => sanitiseJson('"é"', { maxBytes: 3 })).toThrow(refusedAs('content.too-large'))
    expect(() => sanitiseJson('[1e20]', { maxBytes: 10 })).toThrow(refusedAs('content.too-large'))
    expect(() => sanitiseJson('['.repeat(1_000_000), { maxDepth: 1_000_000_000 })).toThrow(refusedAs('content.too-deep'))
    expect(sanitiseJson('["[[[[", "\\"[["]', { maxDepth: 1 })).toBe('["[[[[","\\"[["]')
  })

  it('gives any value back, and changes nothing the second time', () => {
    fc.assert(fc.property(fc.json({ stringUnit: fc.constantFrom(...'ab"\\/ \n\té中👍\u2028\u2029') }), (text) => {
      const once = sanitiseJson(text)
      expect(JSON.parse(once)).toEqual(JSON.parse(text))
      expect(sanitiseJson(once)).toBe(once)
    }), { numRuns: 500 })
  })

  it('agrees with the platform on what is JSON', () => {
    const pieces = fc.array(fc.constantFrom('{', '}', '[', ']', ',', ':', '"a"', '"', '\\', '1', '-', '0', '.', 'e', 'true', 'nul', ' ', '\n', '\u0001'), { maxLength: 8 }).map((parts) => parts.join(''))
    fc.assert(fc.property(pieces, (text) => {
      const isJson = [JSON.parse, sanitiseJson].map((read) => {
        try {
          read(text)
          return true
        } catch (error) {
          // What is JSON and refused all the same is refused for a reason of ours.
          return error instanceof Refusal && (error.hint ?? '').includes('twice') ? 'twice' : false
        }
      })
      expect(isJson[1]).toBe(isJson[1] === 'twice' ? 'twice' : isJson[0])
    }), { numRuns: 3_000 })
  })
})

describe('JSONTestSuite', () => {
  const folder = new URL('../../../../shared/corpora/json/test_parsing/', import.meta.url)
  const files = existsSync(folder) ? readdirSync(folder) : []
  const clean = (file: string): string => sanitiseJson(decodeUtf8(readFileSync(new URL(encodeURIComponent(file), folder))))
  /** JSON by the grammar, and refused all the same: an object that names a key twice means two things. */
  const TWICE = new Set(['y_object_duplicated_key.json', 'y_object_duplicated_key_and_value.json'])

  it.skipIf(files.length === 0)('is there (skipped where the shared corpora are absent)', () => {
    expect(files.length).toBeGreaterThan(300)
  })

  it.each(files.filter((file) => file.startsWith('y_') && !TWICE.has(file)))('accepts %s', (file) => {
    const text = clean(file)
    expect(sanitiseJson(text)).toBe(text)
  })

  it.each(files.filter((file) => file.startsWith('n_') || TWICE.has(file)))('refuses %s', (file) => {
    expect(() => clean(file)).toThrow(Refusal)
  })

  it.each(files.filter((file) => file.startsWith('i_')))('survives %s', (file) => {
    try {
      expect(typeof clean(file)).toBe('string')
    } catch (error) {
      expect(error).toBeInstanceOf(Refusal)
    }
  })
})
