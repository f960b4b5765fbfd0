import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chunkDocument } from './index.ts'

const sizes = { proseMaxChars: 200, codeMaxChars: 200, overlapChars: 40 }
const chunks = (path: string, text: string, more = {}) => chunkDocument(path, text, { ...sizes, ...more })
const texts = (path: string, text: string, more = {}) => chunks(path, text, more).map((chunk) => chunk.text)

describe('any document', () => {
  const line = fc.string({ unit: fc.constantFrom('a', 'é', '🙂', ' ', '#', '`', '{', '"', ',', '}', '-', '\t'), maxLength: 60 })
  const document = fc.array(fc.oneof(line, fc.constantFrom('', '# Title', '```', '## Part', '---', '[1, 2]', `long ${'word '.repeat(120)}`)), { maxLength: 30 }).map((all) => all.join('\n'))
  const path = fc.constantFrom('a.md', 'a.txt', 'a.ts', 'a.json', 'a')

  it('is covered by its chunks: no word is lost, and each says the lines that it came from', () => {
    fc.assert(fc.property(path, document, (name, text) => {
      const made = chunks(name, text)
      const all = text.split(/\r\n|\n|\r/)
      const words = (of: string): readonly string[] => of.match(/[aé🙂\w]+/gu) ?? []
      const covered = new Set<number>()
      for (const { text: own, startLine, endLine } of made) {
        for (let at = startLine; at <= endLine; at += 1) covered.add(at)
        const from = all.slice(startLine - 1, endLine).join('\n').replaceAll(/\s+/g, '')
        const body = (own.split('\n\n').at(-1) ?? '').replaceAll(/\s+/g, '')
        expect(from).toContain(body)
      }
      for (const [at, one] of all.entries()) if (words(one).length > 0) expect(covered).toContain(at + 1)
    }), { numRuns: 300 })
  })

  it('gives chunks within their size, headings above them aside, and the same ones each time', () => {
    fc.assert(fc.property(path, document, (name, text) => {
      const made = chunks(name, text)
      expect(made).toEqual(chunks(name, text))
      for (const { text: own } of made) {
        expect(own.length).toBeLessThanOrEqual(200 + 202)
        expect(!/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.test(own)).toBe(true)
      }
    }), { numRuns: 300 })
  })

  it('of nothing but blanks has no chunk', () => {
    for (const name of ['a.md', 'a.txt', 'a.ts', 'a.json']) expect(chunks(name, ' \n\n\t\n')).toEqual([])
  })

  it('costs time in proportion to its length', () => {
    for (const text of ['x'.repeat(500_000), '\n'.repeat(500_000), '# a\n'.repeat(100_000), '['.repeat(30_000) + ']'.repeat(30_000), `{"a": "${'y'.repeat(500_000)}"}`, '`'.repeat(500_000)]) {
      for (const name of ['a.md', 'a.txt', 'a.ts', 'a.json']) expect(Array.isArray(chunks(name, text))).toBe(true)
    }
  })
})

describe('Markdown', () => {
  const long = (word: string): string => `${word} `.repeat(30).trim()

  it('is cut at its sections, and a part says the headings above it', () => {
    const text = `# Guide\n\n${long('intro')}\n\n## Refunds\n\n${long('refund')}\n\n### Late\n\n${long('late')}\n\n## Bills\n\n${long('bill')}\n`
    const made = texts('a.md', text, { proseMaxChars: 240 })
    expect(made[0]).toMatch(/^# Guide\n\nintro/)
    expect(made.find((one) => one.includes('refund '))).toMatch(/^Guide\n\n## Refunds/)
    expect(made.find((one) => one.includes('late '))).toMatch(/^Guide > Refunds\n\n### Late/)
    expect(made.find((one) => one.includes('bill '))).toMatch(/^Guide\n\n## Bills/)
  })

  it('is not cut at what only looks like a heading, inside fenced code', () => {
    expect(texts('a.md', `# One\n\n\`\`\`sh\n# not a heading\n\`\`\`\n${long('x')}`, { proseMaxChars: 1000 })).toHaveLength(1)
  })

  it('knows underlined headings, and takes small sections together', () => {
    const text = `Title\n=====\n\n${long('aaa')}\n\nPart\n----\n\n${long('bbb')}`
    expect(texts('a.md', text)).toEqual([expect.stringMatching(/^Title\n=====/), expect.stringMatching(/^Title\n\nPart\n----/)])
    expect(texts('a.md', '# A\n\na\n\n# B\n\nb\n')).toHaveLength(1)
  })
})

describe('code', () => {
  it('is cut between declarations', () => {
    const one = (name: string): string => `export function ${name}() {\n${'  work()\n'.repeat(12)}\n  return 1\n}\n`
    const made = texts('a.ts', `${one('first')}\n${one('second')}\n${one('third')}`)
    expect(made.map((text) => text.split('\n', 1)[0])).toEqual(['export function first() {', 'export function second() {', 'export function third() {'])
  })
})

describe('JSON', () => {
  it('is cut between its elements, and inside those that are too long', () => {
    const text = JSON.stringify(Array.from({ length: 20 }, (_, id) => ({ id, name: `name ${id}`, tags: ['a', 'b'] })), null, 1)
    const made = chunks('a.json', text)
    expect(made.length).toBeGreaterThan(3)
    for (const { text: own } of made.slice(1, -1)) expect(own).toMatch(/^\{[\s\S]*\},$/)
    const nested = chunks('a.json', JSON.stringify({ all: Array.from({ length: 60 }, (_, id) => ({ id })) }))
    expect(nested.length).toBeGreaterThan(2)
  })

  it('that is none is cut as text', () => {
    expect(texts('a.json', '{ not json\n\nbut words')).toEqual(['{ not json\n\nbut words'])
  })
})

describe('text', () => {
  it('is cut between paragraphs, and repeats a little where one had to be cut', () => {
    const lines = Array.from({ length: 12 }, (_, at) => `line number ${at} of it`)
    const made = texts('a.txt', lines.join('\n'))
    expect(made.length).toBeGreaterThan(1)
    expect(made[0]?.split('\n')).toContain(made[1]?.split('\n')[0])
  })

  it('keeps most of its chunks when something is put before it', () => {
    const paragraphs = Array.from({ length: 60 }, (_, at) => `paragraph ${at * 7919} says something of its own here`).join('\n\n')
    const before = new Set(texts('a.txt', paragraphs))
    const after = texts('a.txt', `something new at the very beginning\n\n${paragraphs}`)
    expect(after.filter((text) => before.has(text)).length).toBeGreaterThan(after.length / 2)
  })
})
