import { linkSync, mkdirSync, renameSync, rmSync, symlinkSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { bytesOf, type CorpusFolder, corpusFolder } from './corpus.fixture.ts'
import type { OpenCorpus } from '../../kernel/ports/corpus.ts'
import type { JailedCorpusOptions } from './jailed-corpus.ts'

const refusedAs = (code: string) => expect.objectContaining({ name: 'Refusal', code })
const pathsIn = async (corpus: OpenCorpus): Promise<readonly string[]> => {
  const paths: string[] = []
  for await (const { path } of corpus.list('')) paths.push(path)
  return paths
}

describe('the jailed corpus', () => {
  let folder: CorpusFolder
  const opened: OpenCorpus[] = []
  const open = (more: Partial<JailedCorpusOptions> = {}): OpenCorpus => {
    const corpus = folder.open(more)
    opened.push(corpus)
    return corpus
  }
  beforeEach(() => {
    folder = corpusFolder()
  })
  afterEach(async () => {
    for (const corpus of opened.splice(0)) await corpus.close()
    folder.remove()
  })
  const put = (corpus: OpenCorpus, path: string, size: number, overwrite = false) =>
    corpus.write(path, bytesOf('x'.repeat(size)), { overwrite })

  describe('links', () => {
    beforeEach(() => {
      folder.put('documents/real/a.md', 'alpha')
      folder.put('documents/real/data.bin', 'binary')
      folder.put('outside/secret.md', 'SECRET')
      symlinkSync('real', join(folder.root, 'folder-link'))
      symlinkSync('real/a.md', join(folder.root, 'link.md'))
      symlinkSync('real/data.bin', join(folder.root, 'data.md'))
      symlinkSync('../outside/secret.md', join(folder.root, 'out.md'))
      linkSync(join(folder.base, 'outside/secret.md'), join(folder.root, 'hard.md'))
    })

    it.each(['folder-link/a.md', 'link.md', 'data.md', 'out.md', 'hard.md'])('give no document a second path: %s', async (path) => {
      const corpus = open()
      await expect(corpus.read(path)).rejects.toEqual(refusedAs('file.unavailable'))
      await expect(corpus.stat(path)).rejects.toEqual(refusedAs('file.unavailable'))
      expect(await pathsIn(corpus)).toEqual(['real/a.md'])
      expect((await corpus.usage()).usedBytes).toBe(5)
    })

    it('are not written through, and leave the quota as it was', async () => {
      const corpus = open()
      for (const path of ['folder-link/b.md', 'folder-link/new/b.md', 'link.md', 'out.md']) {
        await expect(put(corpus, path, 10, true)).rejects.toEqual(refusedAs('file.unavailable'))
      }
      expect(await pathsIn(corpus)).toEqual(['real/a.md'])
      expect((await corpus.usage()).usedBytes).toBe(5)
      expect((await corpus.read('real/a.md')).size).toBe(5)
    })

    it('that are hard are replaced, and the file outside stays', async () => {
      const corpus = open()
      expect(await put(corpus, 'hard.md', 10, true)).toMatchObject({ size: 10 })
      expect((await corpus.usage()).usedBytes).toBe(15)
      expect(await pathsIn(corpus)).toEqual(['hard.md', 'real/a.md'])
    })
  })

  describe('what other hands do', () => {
    it('is counted when the ledger is new', async () => {
      folder.put('documents/a.md', 'x'.repeat(300))
      folder.put('documents/deep/er/b.txt', 'x'.repeat(200))
      folder.put('documents/picture.png', 'x'.repeat(5000))
      const corpus = open({ quotaBytes: 600 })
      expect(await corpus.usage()).toEqual({ usedBytes: 500, quotaBytes: 600 })
      await expect(put(corpus, 'c.md', 101)).rejects.toEqual(refusedAs('corpus.full'))
      await put(corpus, 'c.md', 100)
    })

    it('is counted again after a while, and at once where a document is written', async () => {
      let now = 1_000_000
      const corpus = open({ clock: { now: () => now }, recountAfterMs: 1000 })
      await put(corpus, 'a.md', 100)
      folder.put('documents/a.md', 'x'.repeat(700))
      folder.put('documents/b.md', 'x'.repeat(50))
      await put(corpus, 'a.md', 200, true)
      expect((await corpus.usage()).usedBytes).toBe(200)
      now += 1001
      expect((await corpus.usage()).usedBytes).toBe(250)
      rmSync(join(folder.root, 'a.md'))
      now -= 5000
      expect((await corpus.usage()).usedBytes).toBe(50)
    })

    it('is counted when the ledger is lost, moved or made for another folder', async () => {
      const corpus = open()
      await put(corpus, 'a.md', 100)
      for (const suffix of ['', '-wal', '-shm']) rmSync(folder.ledgerFile + suffix, { force: true })
      await put(corpus, 'b.md', 10)
      expect((await corpus.usage()).usedBytes).toBe(110)
      const other = open({ root: join(folder.base, 'other') })
      mkdirSync(join(folder.base, 'other'))
      await put(other, 'a.md', 7)
      expect((await other.usage()).usedBytes).toBe(7)
      expect((await corpus.usage()).usedBytes).toBe(110)
    })

    it('includes drafts of writes that were killed: old ones go away when documents are counted', async () => {
      const old = folder.put('documents/deep/.arrowhead-0123456789abcdef01234567.tmp', 'half')
      const young = '.arrowhead-aaaaaaaaaaaaaaaaaaaaaaaa.tmp'
      folder.put(`documents/${young}`, 'half')
      utimesSync(old, new Date(0), new Date(Date.now() - 2 * 3_600_000))
      expect((await open().usage()).usedBytes).toBe(0)
      expect(folder.drafts()).toEqual([young])
    })
  })

  it('lists nothing and reads nothing while its folder is missing, and works once it is there', async () => {
    renameSync(folder.root, `${folder.root}-away`)
    const corpus = open()
    expect(await pathsIn(corpus)).toEqual([])
    await expect(corpus.read('a.md')).rejects.toEqual(refusedAs('file.unavailable'))
    await expect(put(corpus, 'a.md', 1)).rejects.toEqual(refusedAs('file.unavailable'))
    renameSync(`${folder.root}-away`, folder.root)
    await put(corpus, 'a.md', 1)
    expect(await pathsIn(corpus)).toEqual(['a.md'])
  })

  it('refuses to list, and to write, more than it may look through', async () => {
    for (let n = 0; n < 12; n += 1) folder.put(`documents/${n}.png`, 'x')
    const corpus = open({ maxNames: 10 })
    await expect(pathsIn(corpus)).rejects.toEqual(refusedAs('file.too-large'))
    await expect(put(corpus, 'a.md', 1)).rejects.toEqual(refusedAs('file.too-large'))
    expect(folder.documents().size).toBe(0)
    const enough = open({ maxNames: 13 })
    await put(enough, 'a.md', 1)
  })

  it('limits writes more than reads when it is told to', async () => {
    const corpus = open({ maxWriteBytes: 10 })
    folder.put('documents/a.md', 'x'.repeat(11))
    expect((await corpus.read('a.md')).size).toBe(11)
    await expect(put(corpus, 'b.md', 11)).rejects.toEqual(refusedAs('file.too-large'))
  })

  it('opens no file and makes no ledger before the first call', async () => {
    await open({ root: join(folder.base, 'never'), ledgerFile: join(folder.base, 'never.sqlite') }).close()
  })
})
