import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeUtf8, sanitiseText } from './text-encoding.ts'

const refused = expect.objectContaining({ code: 'content.encoding' })
const hex = (text: string): Uint8Array => Buffer.from(text.replaceAll(' ', ''), 'hex')

describe('decodeUtf8', () => {
  it.each([
    ['a UTF-16 little-endian mark', 'fffe 6800 6900'],
    ['a UTF-16 big-endian mark', 'feff 0068 0069'],
    ['a UTF-32 little-endian mark', 'fffe0000 68000000'],
    ['a UTF-32 big-endian mark', '0000feff 00000068'],
    ['UTF-16 little-endian without a mark', '6800 6900 2100'],
    ['UTF-16 big-endian without a mark', '0068 0069 0021'],
    ['UTF-32 without a mark', '68000000 69000000'],
    ['an overlong null', '61 c080 62'],
    ['an encoded surrogate', '61 eda080 62'],
    ['a sequence that is cut', '61 e282'],
    ['a lone continuation byte', '61 80 62'],
    ['five bytes', 'f888808080'],
    ['a code point beyond Unicode', 'f4908080'],
    ['Latin-1', '636166e9'],
  ])('refuses %s', (_what, bytes) => {
    expect(() => decodeUtf8(hex(bytes))).toThrow(refused)
  })

  it.each(['+/v8-hello', '+/v9', '+/v+AGE-', '+/v/x', '+ADw-script+AD4-alert(1)', 'x +ADwAYg- y'])('refuses the UTF-7 of %j', (text) => {
    expect(() => decodeUtf8(Buffer.from(text))).toThrow(refused)
  })

  it.each(['a+b-c and 1+2-3', 'C+ABC-x', 'SYN+ACK-flag', 'key+/value', '+1-555-0100', 'a+AHA-b', 'one\u0000null'])('reads %j', (text) => {
    expect(decodeUtf8(Buffer.from(text))).toBe(text)
  })

  it('drops one byte order mark of UTF-8', () => {
    expect(decodeUtf8(hex('efbbbf 6869'))).toBe('hi')
    expect(sanitiseText(hex('efbbbf efbbbf 6869'))).toBe('hi')
  })

  it('never repairs: either the same bytes come back, or nothing', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 12 }), (bytes) => {
      let text: string
      try {
        text = decodeUtf8(bytes)
      } catch (error) {
        expect(error).toEqual(refused)
        return
      }
      const withoutMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.slice(3) : bytes
      expect(new Uint8Array(Buffer.from(text))).toEqual(new Uint8Array(withoutMark))
    }), { numRuns: 2_000 })
  })
})
