/** What every adapter of the `Corpus` port does. */

import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { CorpusEntry, OpenCorpus } from '../../src/kernel/ports/corpus.ts'

export interface CorpusLimits {
  readonly extensions: readonly string[]
  readonly maxDocumentBytes: number
  readonly quotaBytes: number
}

/** One empty store. Every corpus that is opened in it sees the same documents, as other processes would. */
export interface CorpusWorld {
  open(limits: CorpusLimits): OpenCorpus
  /** Everything that was opened is closed by then. */
  remove(): Promise<void>
}

const LIMITS: CorpusLimits = { extensions: ['.md', '.txt', '.json'], maxDocumentBytes: 1000, quotaBytes: 10_000 }

export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
export const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)
const refusedAs = (code: string) => expect.objectContaining({ name: 'Refusal', code })

const WRONG_PATHS = ['', '../a.md', 'a/../b.md', '/a.md', 'a\\b.md', 'a\0.md', 'a\n.md', `${'x'.repeat(300)}.md`, 'a/../../b.md', '\ud800.md']

const entriesOf = async (corpus: OpenCorpus, prefix = '', maxEntries?: number): Promise<readonly CorpusEntry[]> => {
  const entries: CorpusEntry[] = []
  for await (const entry of corpus.list(prefix, maxEntries === undefined ? {} : { maxEntries })) entries.push(entry)
  return entries
}

export const pathsOf = async (corpus: OpenCorpus, prefix = '', maxEntries?: number): Promise<readonly string[]> =>
  (await entriesOf(corpus, prefix, maxEntries)).map(({ path }) => path)

/** What the documents add up to when each one is read. */
export const realUse = async (corpus: OpenCorpus): Promise<number> => {
  let sum = 0
  for await (const entry of corpus.list('')) sum += (await entry.read()).length
  return sum
}

export function corpusContract(name: string, makeWorld: () => Promise<CorpusWorld>): void {
  describe(`the corpus ${name}`, () => {
    let world: CorpusWorld
    let opened: OpenCorpus[] = []
    let corpus: OpenCorpus
    const open = (limits: Partial<CorpusLimits> = {}): OpenCorpus => {
      const made = world.open({ ...LIMITS, ...limits })
      opened.push(made)
      return made
    }
    const put = (path: string, text: string, overwrite = false) => corpus.write(path, bytesOf(text), { overwrite })
    beforeEach(async () => {
      world = await makeWorld()
      corpus = open()
    })
    afterEach(async () => {
      for (const one of opened) await one.close()
      opened = []
      await world.remove()
    })

    describe('documents', () => {
      it('come back as they were written, whatever their bytes and names', async () => {
        const names = fc.array(fc.constantFrom('a', 'B', 'é', 'e\u0301', '日本', '🙂', 'x y', '-', '.z'), { minLength: 1, maxLength: 3 }).map((parts) => parts.join(''))
        const paths = fc.tuple(fc.array(names, { maxLength: 2 }), names).map(([above, last]) => [...above.map((folder) => `${folder}d`), `${last}.md`].join('/'))
        await fc.assert(fc.asyncProperty(paths, fc.uint8Array({ maxLength: 200 }), async (path, bytes) => {
          await corpus.write(path, bytes, { overwrite: true })
          const document = await corpus.read(path)
          expect(document).toMatchObject({ path: path.normalize('NFC'), size: bytes.length })
          expect(Buffer.from(document.bytes).equals(bytes)).toBe(true)
          expect(await corpus.stat(path)).toMatchObject({ path: path.normalize('NFC'), size: bytes.length })
        }), { numRuns: 40 })
        expect((await corpus.usage()).usedBytes).toBe(await realUse(corpus))
      })

      it('have one path, in normal form C and without empty names', async () => {
        expect(await put('cafe\u0301/./re\u0301sume\u0301.md', 'one')).toEqual({ path: 'café/résumé.md', size: 3, replaced: false })
        expect(await put('café//résumé.md', 'three', true)).toEqual({ path: 'café/résumé.md', size: 5, replaced: true })
        expect(await pathsOf(corpus)).toEqual(['café/résumé.md'])
        expect(textOf((await corpus.read('cafe\u0301/résume\u0301.md')).bytes)).toBe('three')
        expect(await corpus.usage()).toEqual({ usedBytes: 5, quotaBytes: 10_000 })
      })

      it('say when they changed', async () => {
        const before = Date.now()
        await put('a.md', 'text')
        const { modifiedMs } = await corpus.stat('a.md')
        expect(modifiedMs).toBeGreaterThan(before - 60_000)
        expect(modifiedMs).toBeLessThan(Date.now() + 60_000)
      })

      it('are missing until they are written', async () => {
        await expect(corpus.read('a.md')).rejects.toEqual(refusedAs('file.unavailable'))
        await expect(corpus.stat('no/a.md')).rejects.toEqual(refusedAs('file.unavailable'))
      })

      it.each(WRONG_PATHS)('are not reached by the path %j', async (path) => {
        await expect(corpus.read(path)).rejects.toEqual(refusedAs('path.invalid'))
        await expect(corpus.stat(path)).rejects.toEqual(refusedAs('path.invalid'))
        await expect(put(path, 'x')).rejects.toEqual(refusedAs('path.invalid'))
        expect(await pathsOf(corpus)).toEqual([])
      })

      it('have an allowed extension, in any case', async () => {
        await put('A.MD', 'x')
        await put('b.Json', '{}')
        expect(await pathsOf(corpus)).toEqual(['A.MD', 'b.Json'])
        for (const path of ['a.exe', 'a', '.md', 'a.md.exe', 'folder.md/', 'a.md/.', 'a.md ']) {
          await expect(put(path, 'x')).rejects.toEqual(refusedAs('path.invalid'))
          await expect(corpus.read(path)).rejects.toEqual(refusedAs('file.unavailable'))
        }
        expect((await corpus.usage()).usedBytes).toBe(3)
      })

      it('of another extension are not seen by a corpus that allows fewer', async () => {
        await put('a.txt', 'x')
        await put('a.md', 'xx')
        const fewer = open({ extensions: ['.txt'] })
        expect(await pathsOf(fewer)).toEqual(['a.txt'])
        await expect(fewer.read('a.md')).rejects.toEqual(refusedAs('file.unavailable'))
        expect((await fewer.usage()).usedBytes).toBe(1)
        expect((await corpus.usage()).usedBytes).toBe(3)
        const none = open({ extensions: [] })
        expect(await pathsOf(none)).toEqual([])
        await expect(none.write('b.md', bytesOf('x'), { overwrite: false })).rejects.toEqual(refusedAs('path.invalid'))
      })

      it('never hold credentials', async () => {
        for (const path of ['credentials.json', '.ssh/notes.md', 'x/client_secret_1.json']) {
          await expect(put(path, '{}')).rejects.toEqual(refusedAs('file.credential'))
          await expect(corpus.read(path)).rejects.toEqual(refusedAs('file.credential'))
        }
        expect(await pathsOf(corpus)).toEqual([])
      })
    })

    describe('a write', () => {
      it('replaces only what it may', async () => {
        await put('a.md', 'one')
        await expect(put('a.md', 'two')).rejects.toEqual(refusedAs('file.exists'))
        expect(textOf((await corpus.read('a.md')).bytes)).toBe('one')
        expect(await put('a.md', 'three', true)).toEqual({ path: 'a.md', size: 5, replaced: true })
        expect(await put('b.md', '', true)).toEqual({ path: 'b.md', size: 0, replaced: false })
        expect((await corpus.usage()).usedBytes).toBe(5)
      })

      it('whose signal aborted is not made, and one that was made stays', async () => {
        const controller = new AbortController()
        await corpus.write('a.md', bytesOf('one'), { overwrite: false, signal: controller.signal })
        controller.abort()
        await expect(corpus.write('b.md', bytesOf('two'), { overwrite: false, signal: controller.signal })).rejects.toEqual(refusedAs('call.cancelled'))
        expect(await pathsOf(corpus)).toEqual(['a.md'])
        expect((await corpus.usage()).usedBytes).toBe(3)
      })

      it('is won by one of two writers that both want a new document', async () => {
        const other = open()
        for (let round = 0; round < 10; round += 1) {
          const outcomes = await Promise.allSettled([corpus, other].map((one, index) => one.write(`${round}.md`, bytesOf(`writer ${index}`), { overwrite: false })))
          expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
          const winner = outcomes.findIndex(({ status }) => status === 'fulfilled')
          expect(textOf((await corpus.read(`${round}.md`)).bytes)).toBe(`writer ${winner}`)
        }
      })

      it('of more than a document may hold is refused, and so is the read', async () => {
        await put('a.md', 'x'.repeat(1000))
        await expect(put('b.md', 'x'.repeat(1001))).rejects.toEqual(refusedAs('file.too-large'))
        const smaller = open({ maxDocumentBytes: 999 })
        await expect(smaller.read('a.md')).rejects.toEqual(refusedAs('file.too-large'))
        expect(await pathsOf(corpus)).toEqual(['a.md'])
      })

      it('takes not a byte more than the corpus has room for, and an overwrite only the difference', async () => {
        corpus = open({ quotaBytes: 1000 })
        await put('a.md', 'x'.repeat(600))
        await expect(put('b.md', 'x'.repeat(401))).rejects.toEqual(refusedAs('corpus.full'))
        await put('b.md', 'x'.repeat(400))
        await expect(put('a.md', 'x'.repeat(601), true)).rejects.toEqual(refusedAs('corpus.full'))
        expect((await corpus.read('a.md')).size).toBe(600)
        await put('a.md', 'x'.repeat(100), true)
        await put('b.md', 'x'.repeat(900), true)
        await put('empty.md', '')
        expect(await corpus.usage()).toEqual({ usedBytes: 1000, quotaBytes: 1000 })
        await expect(put('c.md', 'x')).rejects.toEqual(refusedAs('corpus.full'))
        expect(await pathsOf(corpus)).toEqual(['a.md', 'b.md', 'empty.md'])
      })

      it('beside many others, through two corpora, keeps the quota exact', async () => {
        const corpora = [open({ quotaBytes: 1500 }), open({ quotaBytes: 1500 })]
        const outcomes = await Promise.allSettled(Array.from({ length: 40 }, (_one, index) =>
          (corpora[index % 2] ?? corpus).write(`${index}.md`, bytesOf('x'.repeat(100)), { overwrite: index % 3 === 0 })))
        expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(15)
        for (const one of corpora) expect((await one.usage()).usedBytes).toBe(1500)
        expect(await realUse(corpus)).toBe(1500)
      })

      it('is seen whole or not at all by those who read meanwhile', async () => {
        const reader = open()
        await put('a.md', 'a'.repeat(900))
        let isOver = false
        const writes = (async () => {
          for (let round = 0; round < 40; round += 1) await put('a.md', (round % 2 === 0 ? 'b' : 'a').repeat(round % 2 === 0 ? 500 : 900), true)
          isOver = true
        })()
        while (!isOver) {
          expect(textOf((await reader.read('a.md')).bytes)).toMatch(/^(?:a{900}|b{500})$/)
          await new Promise(setImmediate)
        }
        await writes
      })
    })

    describe('a listing', () => {
      const PATHS = ['a-b/x.md', 'a.md', 'a/b.md', 'a/b/c.md', 'a/z.md', 'notes/today.md', 'notes/todo.md', 'é.md', '\uff21.md', '🙂.md']

      it('is in the order of code points, whatever the order of writing', async () => {
        for (const path of [...PATHS].reverse()) await put(path, 'x')
        expect(await pathsOf(corpus)).toEqual(PATHS)
      })

      it('holds what starts with the prefix, a whole folder or part of a name', async () => {
        for (const path of PATHS) await put(path, 'x')
        expect(await pathsOf(corpus, 'a/')).toEqual(['a/b.md', 'a/b/c.md', 'a/z.md'])
        expect(await pathsOf(corpus, 'a')).toEqual(['a-b/x.md', 'a.md', 'a/b.md', 'a/b/c.md', 'a/z.md'])
        expect(await pathsOf(corpus, 'notes/tod')).toEqual(['notes/today.md', 'notes/todo.md'])
        expect(await pathsOf(corpus, 'a/b')).toEqual(['a/b.md', 'a/b/c.md'])
        expect(await pathsOf(corpus, 'e\u0301')).toEqual(['é.md'])
        expect(await pathsOf(corpus, 'a.md')).toEqual(['a.md'])
        for (const none of ['nope', 'no/such/', 'a.md/', 'A']) expect(await pathsOf(corpus, none)).toEqual([])
      })

      it('holds no more than was asked for', async () => {
        for (const path of PATHS) await put(path, 'x')
        expect(await pathsOf(corpus, '', 3)).toEqual(PATHS.slice(0, 3))
        expect(await pathsOf(corpus, 'a/', 1)).toEqual(['a/b.md'])
        for (const none of [0, -1, Number.NaN]) expect(await pathsOf(corpus, '', none)).toEqual([])
        expect(await pathsOf(corpus, '', 100)).toEqual(PATHS)
      })

      it('gives size and content of each document, at once or later', async () => {
        await put('a.md', 'alpha')
        await put('b.md', 'beta')
        const found: string[] = []
        for await (const entry of corpus.list('')) found.push(`${entry.size} ${textOf(await entry.read())}`)
        expect(found).toEqual(['5 alpha', '4 beta'])
        const entries = await entriesOf(corpus)
        expect(await Promise.all(entries.map(async (entry) => textOf(await entry.read())))).toEqual(['alpha', 'beta'])
      })

      it('refuses the content of what is too large', async () => {
        await put('a.md', 'x'.repeat(1000))
        for await (const entry of open({ maxDocumentBytes: 999 }).list('')) {
          await expect((async () => entry.read())()).rejects.toEqual(refusedAs('file.too-large'))
        }
      })

      it.each(['../', '..', '/', 'a/../b', 'a\\'])('refuses the prefix %j', async (prefix) => {
        await expect(pathsOf(corpus, prefix)).rejects.toEqual(refusedAs('path.invalid'))
      })

      it('can be left at any time', async () => {
        for (const path of PATHS) await put(path, 'x')
        for await (const entry of corpus.list('')) if (entry.path === 'a/b/c.md') break
        expect(await pathsOf(corpus)).toEqual(PATHS)
      })
    })

    it('refuses everything once it is closed', async () => {
      await put('a.md', 'x')
      await corpus.close()
      await corpus.close()
      await expect(corpus.read('a.md')).rejects.toEqual(refusedAs('file.unavailable'))
      await expect(put('b.md', 'x')).rejects.toEqual(refusedAs('file.unavailable'))
      await expect(corpus.usage()).rejects.toEqual(refusedAs('file.unavailable'))
      expect(await pathsOf(open())).toEqual(['a.md'])
    })
  })
}
