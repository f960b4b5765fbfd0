import { describe, expect, it } from 'vitest'
import { refusal } from '../../kernel/refusal.ts'
import { bytesOf, matcherFor } from './matcher.fixture.ts'
import type { UnreadText } from '../../kernel/ports/texts.ts'
import { type SearchLimits, type SearchOptions, searchTexts } from './search-texts.ts'

const LIMITS: SearchLimits = { maxFiles: 100, maxFileBytes: 1000, maxReadBytes: 10_000, maxResults: 100, maxSnippetBytes: 10_000, timeoutMs: 60_000 }

/** A source that counts what is taken from it and what is read. */
class Source implements AsyncIterable<UnreadText> {
  readonly #texts: readonly (string | Uint8Array | Error)[]
  taken = 0
  read = 0
  closed = 0

  constructor(texts: readonly (string | Uint8Array | Error)[]) {
    this.#texts = texts
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<UnreadText> {
    try {
      for (const [index, text] of this.#texts.entries()) {
        this.taken += 1
        const bytes = typeof text === 'string' ? bytesOf(text) : text
        const read = (): Uint8Array | Promise<Uint8Array> => {
          this.read += 1
          if (bytes instanceof Error) throw bytes
          return index % 2 === 0 ? bytes : Promise.resolve(bytes)
        }
        yield { path: `${index}.md`, size: bytes instanceof Error ? 1 : bytes.length, read }
      }
    } finally {
      this.closed += 1
    }
  }
}

const search = async (source: Source, limits: Partial<SearchLimits> = {}, more: Partial<SearchOptions> = {}, query = 'hit') =>
  searchTexts(source, await matcherFor({ query }), { limits: { ...LIMITS, ...limits }, ...more })

describe('searchTexts', () => {
  it('gives matches in the order of the source, with path and line', async () => {
    const source = new Source(['a\nhit', 'nothing', 'Hit hit\nHIT'])
    expect(await search(source)).toEqual({
      matches: [
        { path: '0.md', line: 2, column: 1, snippet: 'hit', isCut: false },
        { path: '2.md', line: 1, column: 1, snippet: 'Hit hit', isCut: false },
        { path: '2.md', line: 2, column: 1, snippet: 'HIT', isCut: false },
      ],
      truncated: undefined, filesSeen: 3, filesSkipped: 0, bytesRead: 23, linesCut: 0,
    })
    expect(source.closed).toBe(1)
  })

  it('leaves out what is too large, not UTF-8 or gone, and says how many', async () => {
    const source = new Source(['x'.repeat(1001), new Uint8Array([0x68, 0x69, 0x74, 0xff]), refusal('file.unavailable'), 'hit'])
    expect(await search(source)).toMatchObject({ matches: [{ path: '3.md' }], filesSeen: 4, filesSkipped: 3, truncated: undefined })
    expect(source.read).toBe(3)
  })

  it('fails when a read does for another reason, and closes the source', async () => {
    const source = new Source(['hit', new Error('disk')])
    await expect(search(source)).rejects.toThrow('disk')
    expect(source.closed).toBe(1)
  })

  const ten = () => new Source(Array.from({ length: 10 }, () => 'a hit\nhit two'))

  it('reads no more documents than it may', async () => {
    const source = ten()
    expect(await search(source, { maxFiles: 3 })).toMatchObject({ filesSeen: 3, truncated: 'files' })
    expect([source.read, source.taken, source.closed]).toEqual([3, 4, 1])
    expect(await search(ten(), { maxFiles: 10 })).toMatchObject({ filesSeen: 10, truncated: undefined })
  })

  it('reads no document that would bring it beyond its bytes', async () => {
    const source = ten()
    expect(await search(source, { maxReadBytes: 13 * 4 - 1 })).toMatchObject({ bytesRead: 39, filesSeen: 4, truncated: 'bytes' })
    expect([source.read, source.taken]).toEqual([3, 4])
    expect(await search(ten(), { maxReadBytes: 130 })).toMatchObject({ bytesRead: 130, truncated: undefined })
  })

  it('stops at its results before anything more is read or asked for', async () => {
    const source = ten()
    const { matches, truncated } = await search(source, { maxResults: 3 })
    expect([matches.length, truncated, source.read, source.taken]).toEqual([3, 'results', 2, 2])
    const full = ten()
    expect((await search(full, { maxResults: 2 })).matches).toHaveLength(2)
    expect([full.read, full.taken]).toEqual([1, 1])
  })

  it('stops before the snippet that would bring it beyond its bytes', async () => {
    const source = new Source(['hit é', 'hit é', 'hit é'])
    const { matches, truncated } = await search(source, { maxSnippetBytes: 13 })
    expect([matches.length, truncated, source.read]).toEqual([2, 'snippets', 3])
  })

  it.each(['maxFiles', 'maxReadBytes', 'maxResults', 'maxSnippetBytes', 'timeoutMs', 'maxFileBytes'] as const)(
    'takes a %s that is no number for none', async (limit) => {
      expect((await search(ten(), { [limit]: Number.NaN })).matches).toEqual([])
    })

  it('stops when its time is over, between documents and within one', async () => {
    let now = 0
    const clock = { ticks: () => (now += 1) }
    const source = ten()
    expect(await search(source, { timeoutMs: 20 }, { clock })).toMatchObject({ truncated: 'time' })
    expect(source.read).toBeLessThan(10)
    const long = new Source([`${'line\n'.repeat(20_000)}hit`])
    const matcher = await matcherFor({ query: '[h]it', regex: true })
    const limits = { ...LIMITS, maxFileBytes: 1e6, maxReadBytes: 1e6, timeoutMs: 10 }
    expect(await searchTexts(long, matcher, { limits, clock })).toMatchObject({ matches: [], truncated: 'time' })
  })

  it('is cancelled between documents and within one, and closes the source', async () => {
    const stopped = new AbortController()
    stopped.abort()
    const source = ten()
    await expect(search(source, {}, { signal: stopped.signal })).rejects.toMatchObject({ code: 'call.cancelled' })
    expect([source.taken, source.read]).toEqual([0, 0])

    const late = new AbortController()
    let now = 0
    const clock = { ticks: () => (now += 5) }
    const long = new Source([`${'line\n'.repeat(20_000)}hit`])
    setImmediate(() => late.abort(refusal('call.timeout')))
    const matcher = await matcherFor({ query: '[h]it', regex: true })
    const limits = { ...LIMITS, maxFileBytes: 1e6, maxReadBytes: 1e6 }
    await expect(searchTexts(long, matcher, { limits, clock, signal: late.signal })).rejects.toMatchObject({ code: 'call.timeout' })
    expect(long.closed).toBe(1)
  })

  it('lets others work and tells how far it is while it lasts', async () => {
    let turns = 0
    let isOver = false
    const others = (): void => {
      turns += 1
      if (!isOver) setImmediate(others)
    }
    setImmediate(others)
    let now = 0
    const told: number[] = []
    await search(ten(), {}, { clock: { ticks: () => (now += 10) }, onProgress: ({ filesSeen }) => told.push(filesSeen) })
    isOver = true
    expect(turns).toBeGreaterThan(5)
    expect(told.length).toBeGreaterThan(0)
    expect(told).toEqual([...told].sort((a, b) => a - b))
  })

  it('tells nothing of what the source leaves out', async () => {
    const matcher = await matcherFor({ query: 'hit' })
    const allowed = async function* (source: Source): AsyncGenerator<UnreadText> {
      for await (const text of source) if (text.path !== '1.md') yield text
    }
    const withSecret = await searchTexts(allowed(new Source(['hit', 'secret hit', 'no'])), matcher, { limits: LIMITS })
    const without = await searchTexts(allowed(new Source(['hit', 'a hit', 'no'])), matcher, { limits: LIMITS })
    expect(withSecret).toEqual(without)
    expect(withSecret.filesSeen).toBe(2)
  })
})
