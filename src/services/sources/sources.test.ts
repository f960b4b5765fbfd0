import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { refusal } from '../../kernel/refusal.ts'
import type { SourceRef } from '../../kernel/ports/sources.ts'
import { cleanText } from '../content/clean-text.ts'
import { createScanner } from '../secrets/index.ts'
import { createFullText, createSources } from './index.ts'
import { prepare } from './prepare.ts'
import { eachWord, queryWords, rootOf } from './words.ts'

const scanner = createScanner()
const ports = {
  clean: cleanText, redact: (text: string) => text.replaceAll('own-secret', '[redacted]'),
  scan: (text: string) => scanner.scan(text).map((found) => ({ ...found, lastLine: found.line + text.slice(found.start, found.end).split('\n').length - 1 })),
}

const storeOf = (texts: Readonly<Record<string, string>>, opened: string[] = []) => ({
  async *list() {
    yield* Object.keys(texts)
  },
  async text(identifier: string) {
    opened.push(identifier)
    return texts[identifier] ?? Promise.reject(refusal('file.unavailable'))
  },
})

const options = { may: (_ref: SourceRef) => true, signal: new AbortController().signal, limit: 50 }
const KEY = `-----BEGIN PRIVATE KEY-----\n${'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7\n'.repeat(6)}-----END PRIVATE KEY-----`

describe('a source that is made fit to be shown', () => {
  it('keeps the number of every line, whatever stood in them', () => {
    const line = fc.oneof(fc.string({ unit: 'binary', maxLength: 20 }).map((text) => text.replaceAll('\n', '')), fc.constantFrom('\u2028', '\u001b]0;title', 'a\rb', '\u0085', 'plain', KEY.replaceAll('\n', '\\n')))
    fc.assert(fc.property(fc.array(line, { minLength: 1, maxLength: 20 }), (lines) => {
      const text = lines.join('\n')
      expect(prepare(`${text}\nend`, ports).lines).toHaveLength(lines.length + 1)
    }))
  })

  it('loses secrets that a cut would break in two, and its other lines stay where they were', () => {
    const { lines, excerpt } = prepare(`one\n${KEY}\nnine own-secret\r\nten\n`, ports)
    expect(lines).toHaveLength(11)
    expect(lines.slice(9)).toEqual(['nine [redacted]', 'ten'])
    expect(JSON.stringify(lines)).not.toContain('MIIEv')
    expect(excerpt(4, 10)).toEqual({ text: `${'\n'.repeat(6)}nine [redacted]`, redactions: 1 })
    expect(excerpt(10, 11)).toEqual({ text: 'nine [redacted]\nten', redactions: 0 })
  })

  it('is stamped with the hash of what was read', () => {
    expect(prepare('abc', ports).sha256).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  })
})

describe('the sources', () => {
  it('read the kinds that have a store, and refuse the others', async () => {
    const sources = createSources({ readers: { doc: storeOf({ 'a.md': 'text' }) }, rankers: [], prepare: async () => ports })
    expect((await sources.read({ kind: 'doc', identifier: 'a.md' }, options.signal)).lines).toEqual(['text'])
    await expect(sources.read({ kind: 'repo_file', identifier: 'a.md' }, options.signal)).rejects.toMatchObject({ code: 'file.unavailable' })
  })

  it('search in every way that there is; one that is refused is partial, one that is broken is a fault', async () => {
    const ranker = (fails: Error) => ({ rank: () => Promise.reject(fails) })
    const search = (fails: Error) => createSources({ readers: {}, rankers: [ranker(fails), { rank: async () => ({ passages: [], isPartial: false }) }], prepare: async () => ports }).search('x', options)
    expect(await search(refusal('tool.failed'))).toEqual([{ passages: [], isPartial: true }, { passages: [], isPartial: false }])
    await expect(search(new Error('broken'))).rejects.toThrow('broken')
  })
})

describe('a full-text ranking', () => {
  const rank = (texts: Readonly<Record<string, string>>, query: string, more: object = {}, opened: string[] = []) =>
    createFullText({ kind: 'doc', store: storeOf(texts, opened), maxFiles: 100, maxChars: 100_000, ...more }).rank(query, { ...options, ...more })
  const found = async (...given: Parameters<typeof rank>) => (await rank(...given)).passages.map(({ identifier, startLine, endLine }) => `${identifier} ${startLine}-${endLine}`)

  it('puts the passage first that says most of the query', async () => {
    const texts = { 'a.md': 'Shipping and refunds.', 'b.md': 'A refund policy: refunds are issued in a week.', 'c.md': 'Nothing.' }
    expect(await found(texts, 'how are refunds issued')).toEqual(['b.md 1-1', 'a.md 1-1'])
  })

  it('finds identifiers by their parts and words by their stem', async () => {
    const texts = { 'a.ts': 'function getUserById() {}', 'b.ts': 'const parse_http_header = 1', 'c.ts': 'class XMLReader {}' }
    expect(await found(texts, 'user')).toEqual(['a.ts 1-1'])
    expect(await found(texts, 'parsing headers')).toEqual(['b.ts 1-1'])
    expect(await found(texts, 'xml readers')).toEqual(['c.ts 1-1'])
  })

  it('ends passages before what begins at the margin behind an empty line', async () => {
    const part = (name: string): string => `function ${name}() {\n${'  step()\n'.repeat(8)}}\n`
    expect(await found({ 'a.ts': `${part('one')}\n${part('two')}` }, 'two')).toEqual(['a.ts 12-21'])
  })

  it('opens nothing that the caller may not read', async () => {
    const opened: string[] = []
    expect(await found({ 'open.md': 'refund', 'shut.md': 'refund' }, 'refund', { may: ({ identifier }: SourceRef) => identifier !== 'shut.md' }, opened)).toEqual(['open.md 1-1'])
    expect(opened).toEqual(['open.md'])
  })

  it.each([['files', { maxFiles: 2 }], ['characters', { maxChars: 12 }]])('stops at its bound of %s and says so', async (_what, bound) => {
    const texts = { 'a.md': 'refund', 'b.md': 'refund', 'c.md': 'refund' }
    expect(await rank(texts, 'refund', bound)).toMatchObject({ passages: [{ identifier: 'a.md' }, { identifier: 'b.md' }], isPartial: true })
    expect(await rank(texts, 'refund')).toMatchObject({ isPartial: false })
  })

  it('is partial when a text cannot be read, and takes few passages of one text', async () => {
    const store = { ...storeOf({}), async *list() { yield 'gone.md' } }
    expect(await createFullText({ kind: 'doc', store, maxFiles: 9, maxChars: 9 }).rank('refund', options)).toEqual({ passages: [], isPartial: true })
    expect(await found({ 'a.md': `refund\n${'x\n'.repeat(59)}`.repeat(20), 'b.md': 'x refund' }, 'refund')).toHaveLength(6)
  })

  it('finds every word by its root before it looks at words', () => {
    fc.assert(fc.property(fc.constantFrom('happiness', 'relational', 'sensibility', 'running', 'flies', 'agreed', 'generalizations', 'oscillators', 'was', 'getUserById', 'conditional', 'ability', 'ponies', 'HTTPServer2'), (word) => {
      eachWord(word, (stemmed) => expect(word.toLowerCase()).toContain(rootOf(stemmed)))
      expect(queryWords(`the ${word}`).length).toBeGreaterThan(0)
    }))
  })
})

it('finds a word whose accents are marks of their own in the text', async () => {
  const ranker = createFullText({ kind: 'doc', store: storeOf({ 'a.md': 'Das Gefu\u0308ge der Welt' }), maxFiles: 9, maxChars: 1000 })
  expect((await ranker.rank('Gef\u00fcge', options)).passages).toHaveLength(1)
})
