import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRedactingStream } from './redacting-stream.ts'
import { PERSONAL_RULES } from './personal/index.ts'
import { SECRET_RULES } from './rules/index.ts'
import { drawExample, drawToken, seeded } from './sample.fixture.ts'
import { createScanner } from './scanner.ts'

const scanner = createScanner()
const TOKEN = drawToken('ghp_{an36}', seeded('stream'))
const keyOf = (lines: number): string =>
  ['-----BEGIN RSA ', 'PRIVATE KEY-----\n', ...Array.from({ length: lines }, (_, line) => `${drawToken('{base64}', seeded(`line ${line % 50}`))}\n`), '-----END RSA ', 'PRIVATE KEY-----'].join('')

const streamed = (chunks: readonly string[]): string => {
  const stream = createRedactingStream(scanner)
  return chunks.map((chunk) => stream.push(chunk)).join('') + stream.end()
}

const cut = (text: string, sizes: readonly number[]): string[] => {
  const chunks: string[] = []
  for (let at = 0, turn = 0; at < text.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? text.length
    chunks.push(text.slice(at, at + size))
    at += size
  }
  return chunks
}

const sizes = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 5 })
const samples = [...SECRET_RULES, ...PERSONAL_RULES].flatMap((rule) => rule.yes.filter((one) => one.includes('«')).map((one) => drawExample(one, seeded(one)).text))
const piece = fc.oneof(fc.constantFrom(...samples), fc.constantFrom('\n', ' ', 'some words', '\r\n', TOKEN, keyOf(3)))

describe('a redacting stream', () => {
  it('gives what redacting the whole gives, wherever it is cut', () => {
    fc.assert(fc.property(fc.array(piece, { maxLength: 10 }), sizes, (pieces, each) => {
      const text = pieces.join(' ')
      expect(streamed(cut(text, each))).toBe(scanner.redact(text).text)
    }), { numRuns: 600 })
  })

  it('finds a value that is split over two chunks', () => {
    for (let at = 1; at < TOKEN.length; at += 1) expect(streamed([`x ${TOKEN.slice(0, at)}`, `${TOKEN.slice(at)} y`])).toBe(scanner.redact(`x ${TOKEN} y`).text)
  })

  it('lets whole lines go at once', () => {
    const stream = createRedactingStream(scanner)
    expect(stream.push('first\nsec')).toBe('first\n')
    expect(stream.push('ond\n')).toBe('second\n')
    expect(stream.end()).toBe('')
  })

  it('finds a value in a line that has no end', () => {
    const text = `${'a b '.repeat(60_000)}${TOKEN}${' c d'.repeat(60_000)}`
    expect(streamed(cut(text, [5_003]))).toBe(scanner.redact(text).text)
  })

  it('holds back a bounded stretch of a line that has no end', () => {
    const stream = createRedactingStream(scanner)
    let [given, most] = [0, 0]
    let received = 0
    for (let turn = 0; turn < 100; turn += 1) {
      given += 10_000
      received += stream.push('0123456789'.repeat(1_000)).length
      most = Math.max(most, given - received)
    }
    expect(most).toBeLessThan(100_000)
  })

  it('removes a private key as a whole, line by line as it comes', () => {
    const text = `before\n${keyOf(40)}\nafter\n`
    const out = streamed(cut(text, [65]))
    expect(out).toMatch(/^before\n\[REDACTED:PRIVATE_KEY:[0-9a-f]{12}\]\nafter\n$/)
  })

  it.each(['k.pem:1:', '  9\t', '-', '// ', '2024-01-15T10:00:00.123Z web-1 | '])('removes a private key whose lines begin with %j', (prefix) => {
    const key = keyOf(20).replaceAll('\n', `\n${prefix}`)
    for (const size of [7, 31, 65]) expect(streamed(cut(`before\n${prefix}${key}\nafter\n`, [size]))).toBe(scanner.redact(`before\n${prefix}${key}\nafter\n`).text)
    expect(scanner.redact(`${prefix}${key}\nafter`).text.slice(prefix.length)).toMatch(/^\[REDACTED:PRIVATE_KEY:[0-9a-f]{12}\]\nafter$/)
  })

  it.each(['- name: DB_PASSWORD\n  value: ', '{\n  "password":\n    "', '  password: |\n    ', '"name": "API_KEY",\n"value": "'])('finds a value whose name left with the line before it, as in %j', (before) => {
    const text = `${before}${drawToken('{an24}', seeded('next'))}"\nafter\n`
    for (const size of [1, 5, 13, 30]) expect(streamed(cut(text, [size]))).toMatch(/\[REDACTED:SECRET:[0-9a-f]{12}\]"?\nafter\n$/)
  })

  it('removes a key that never ends, in bounded space', () => {
    const body = keyOf(12_000)
    const out = streamed(cut(`before\n${body}\nafter the key\n`, [10_007]))
    expect(out).toMatch(/^before\n\[REDACTED:PRIVATE_KEY:/)
    expect(out.endsWith('\nafter the key\n')).toBe(true)
    expect(out.length).toBeLessThan(300)
  })
})
