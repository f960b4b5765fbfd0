import fc from 'fast-check'
import { readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openDatabase } from '../../exits/disk/database.ts'
import { removeDatabase } from '../../exits/disk/remove-database.ts'
import type { CodeIndex, CodeSource } from '../../kernel/ports/code-index.ts'
import { indexFolder, type IndexFolder, LIBRARY, many, source, sourcesOf, storedIn } from './code-index.fixture.ts'

let folder: IndexFolder
beforeEach(() => {
  folder = indexFolder()
})
afterEach(() => folder.remove())

const contentOf = (name: string): unknown => storedIn(folder.file.replace('index.sqlite', name))

const answers = async (index: CodeIndex, queries: readonly string[]): Promise<unknown> =>
  Promise.all(queries.map(async (query) => (await index.search(query, { limit: 50 })).hits))

describe('an index that grew step by step', () => {
  const path = fc.constantFrom('a.py', 'b.py', 'c/d.py', 'c/e.md', 'f.py')
  const word = fc.constantFrom('read', 'folder', 'parse', 'json', 'line', 'number')
  const text = fc.array(fc.tuple(word, word), { maxLength: 4 }).map((pairs) => pairs.map(([name, other]) => `def ${name}_${other}():\n  """The ${other}."""\n  ${name}()\n`).join(''))
  const step = fc.dictionary(path, text, { maxKeys: 5 })

  it('is the one that is built from the last state at once', async () => {
    let round = 0
    await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 5 }), fc.boolean(), async (steps, single) => {
      round += 1
      const [grown, built] = [folder.open(`grown-${round}.sqlite`), folder.open(`built-${round}.sqlite`)]
      let last: Record<string, string> = {}
      for (const texts of steps) {
        if (single) await grown.change(sourcesOf(texts), Object.keys(last).filter((known) => !(known in texts)))
        else await grown.update(sourcesOf(texts))
        last = texts
      }
      await built.update(sourcesOf(last))
      const queries = ['read folder', 'json', 'parse_json', 'line number']
      expect(await answers(grown, queries)).toEqual(await answers(built, queries))
      for (const index of [grown, built]) index.close()
      expect(contentOf(`grown-${round}.sqlite`)).toEqual(contentOf(`built-${round}.sqlite`))
    }), { numRuns: 40 })
  }, 120_000)

  it('asks only for the chunks of files that changed', async () => {
    const index = folder.open()
    await index.update(many(10))
    const asked: string[] = []
    const watched = many(10).map((one, at): CodeSource => ({
      ...one, contentHash: at === 3 ? 'new' : one.contentHash, chunks: () => { asked.push(one.path); return one.chunks() },
    }))
    expect(await index.update(watched)).toEqual({ indexed: 1, unchanged: 9, removed: 0, refused: 0, incomplete: 0, complete: true })
    expect(asked).toEqual(['src/f3.py'])
  })
})

describe('an update', () => {
  it('that is stopped says so, keeps what it has and goes on from there', async () => {
    const index = folder.open()
    const [all, stop] = [many(300), new AbortController()]
    const stopping = (function* () {
      for (const [at, one] of all.entries()) {
        if (at === 200) stop.abort()
        yield one
      }
    })()
    const first = await index.update(stopping, { signal: stop.signal })
    expect(first).toMatchObject({ indexed: 200, removed: 0, complete: false })
    expect(index.freshness()).toMatchObject({ updatedAtMs: null, complete: false })
    expect((await index.search('read_100', { limit: 1 })).hits).toMatchObject([{ name: 'read_100' }])
    expect(await index.update(all)).toMatchObject({ indexed: 100, unchanged: 200, complete: true })
    expect(index.freshness().complete).toBe(true)
  })

  it('that fails in the middle of the tree removes nothing', async () => {
    const index = folder.open()
    await index.update(many(5))
    const failing = (function* (): Generator<CodeSource> {
      yield* many(1)
      throw new Error('the disk is gone')
    })()
    await expect(index.update(failing)).rejects.toThrow('the disk is gone')
    expect(index.freshness().complete).toBe(false)
    expect((await index.search('read_4', { limit: 1 })).hits).toHaveLength(1)
  })

  it('counts a file that cannot be parsed, forgets what it was, and takes it up when it can', async () => {
    const index = folder.open()
    await index.update(sourcesOf(LIBRARY))
    const broken: CodeSource = { path: 'src/paths.py', contentHash: 'next', chunks: () => Promise.reject(new Error('no parser')) }
    const others = sourcesOf(LIBRARY).filter(({ path }) => path !== broken.path)
    expect(await index.update([broken, ...others])).toMatchObject({ incomplete: 1, removed: 1, unchanged: 2, complete: true })
    expect((await index.search('removeTree', { limit: 5 })).hits.map(({ name }) => name)).not.toContain('removeTree')
    expect(await index.update(sourcesOf(LIBRARY))).toMatchObject({ indexed: 1, incomplete: 0 })
  })

  it('keeps 10,000 declarations of a file, and says that there were more', async () => {
    const index = folder.open()
    const chunk = { kind: 'function', container: '', signature: '', doc: '', body: '' }
    const chunks = Array.from({ length: 10_001 }, (_, at) => ({ ...chunk, name: `g${at}`, startLine: at + 1, endLine: at + 1 }))
    expect(await index.update([{ path: 'big.py', contentHash: 'h', chunks: () => chunks }])).toMatchObject({ indexed: 1, incomplete: 1 })
    expect((await index.search('g9999', { limit: 1 })).hits).toMatchObject([{ name: 'g9999', startLine: 10_000 }])
    expect((await index.search('g10000', { limit: 1 })).hits).not.toMatchObject([{ match: 'exact' }])
  })
})

describe('a file that is no index of this version', () => {
  const damage: readonly (readonly [string, (file: string) => void])[] = [
    ['is something else', (file) => writeFileSync(file, 'this is no database at all, and long enough to be looked at'.repeat(200))],
    ['was cut', (file) => truncateSync(file, 5_000)],
    ['was overwritten in the middle', (file) => writeFileSync(file, readFileSync(file).fill(0xa5, 4_096, 60_000))],
    ['is of another version', (file) => changeDatabase(file, 'PRAGMA user_version = 999')],
    ['has other tables', (file) => changeDatabase(file, 'DROP TABLE posting; CREATE TABLE posting(id INTEGER PRIMARY KEY, data TEXT); INSERT INTO posting SELECT id * 0 + rowid, 1 FROM file')],
    ['has blocks that are none', (file) => changeDatabase(file, "UPDATE posting SET data = x'ffffff'")],
    ['has no state', (file) => changeDatabase(file, 'DELETE FROM state')],
  ]
  const changeDatabase = (file: string, sql: string): void => {
    const db = openDatabase(file)
    db.exec(sql)
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    db.close()
  }

  it.each(damage)('because it %s is replaced in silence and filled again', async (_, break_) => {
    const before = folder.open()
    await before.update(many(200))
    before.close()
    changeDatabase(folder.file, 'SELECT 1')
    break_(folder.file)
    const index = folder.open()
    await index.search('read number', { limit: 5 })
    // A fault that only the writing meets loses what was written before it; the update then says so.
    const { complete } = await index.update(many(200))
    if (!complete) await index.update(many(200))
    expect(await index.search('read_150', { limit: 1 })).toMatchObject({ hits: [{ name: 'read_150' }], freshness: { complete: true } })
  })

  it('is told from a file that cannot be opened, which is an error', () => {
    const index = folder.open('index.sqlite/below')
    writeFileSync(folder.file, 'a file where a folder should be')
    expect(() => index.freshness()).toThrow(/ENOTDIR|EEXIST/)
  })
})

describe('an index that another process replaces while it is open', () => {
  const [secret, shown, later] = [source('secret.py', 'def hidden_thing(): pass\n'), source('open.py', 'def shown(): pass\n'), source('later.py', 'def shown_later(): pass\n')]
  const query = 'hidden thing shown'
  /** The same files under other numbers. */
  const replace = async (): Promise<unknown> => {
    removeDatabase(folder.file)
    return folder.open().update([shown, secret, later])
  }
  const pathsOf = async (index: CodeIndex, may: (path: string) => boolean | Promise<boolean>): Promise<readonly string[]> =>
    (await index.search(query, { limit: 5, may })).hits.map(({ path }) => path).sort()

  it('is opened anew, and its numbers are not taken for the old ones', async () => {
    const index = folder.open()
    await index.update([secret, shown])
    const may = (path: string): boolean => path !== 'secret.py'
    expect(await pathsOf(index, may)).toEqual(['open.py'])
    await replace()
    expect(await pathsOf(index, may)).toEqual(['later.py', 'open.py'])
  })

  it('shows nothing that was not asked for when that happens within a search', async () => {
    const index = folder.open()
    await index.update([secret, shown])
    let replaced = false
    const paths = await pathsOf(index, async (path) => {
      if (!replaced) await replace()
      replaced = true
      return path !== 'secret.py'
    })
    expect(paths).not.toContain('secret.py')
  })
})
