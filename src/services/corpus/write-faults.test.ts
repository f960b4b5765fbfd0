/** A write that fails at any of its steps, and one that is waited for. */

import { describe, expect, it } from 'vitest'
import { openDatabase } from '../../exits/disk/database.ts'
import { bytesOf, corpusFolder, sizeOfAll } from './corpus.fixture.ts'

const OLD = 'o'.repeat(400)
const NEW = 'n'.repeat(1000)

/** Fails at one step, as a full disk or a kill would. */
const failingAt = (step: number) => {
  let left = step
  return () => {
    left -= 1
    if (left === 0) throw new Error('fault')
  }
}

/** Writes with a fault at each step in turn, until a write needs fewer steps. @returns how many failed. */
const faultsOf = async (path: string, isThere: boolean): Promise<number> => {
  for (let step = 1; ; step += 1) {
    const folder = corpusFolder()
    const before = folder.open()
    await before.write('other.md', bytesOf('x'.repeat(77)), { overwrite: false })
    if (isThere) await before.write(path, bytesOf(OLD), { overwrite: false })
    await before.close()

    const faulty = folder.open({ onStep: failingAt(step) })
    const hasFailed = await faulty.write(path, bytesOf(NEW), { overwrite: isThere }).then(() => false, () => true)
    await faulty.close()

    const found = folder.documents().get(path)
    expect(found === NEW || found === (isThere ? OLD : undefined)).toBe(true)
    const after = folder.open({ quotaBytes: 77 + 1000 + 5 })
    expect((await after.usage()).usedBytes).toBe(sizeOfAll(folder.documents()))
    await after.write(path, bytesOf(NEW), { overwrite: true })
    await after.write('last.md', bytesOf('12345'), { overwrite: false })
    await expect(after.write('more.md', bytesOf('1'), { overwrite: false })).rejects.toMatchObject({ code: 'corpus.full' })
    expect((await after.usage()).usedBytes).toBe(sizeOfAll(folder.documents()))
    await after.close()
    expect(folder.drafts()).toEqual([])
    folder.remove()
    if (!hasFailed) return step - 1
  }
}

describe('a write that fails', () => {
  it.each([
    ['a new document', 'a.md', false], ['a new document in new folders', 'new/er/a.md', false], ['an overwrite', 'a.md', true],
  ] as const)('at any step leaves the old or the new document and an exact ledger: %s', async (_what, path, isThere) => {
    expect(await faultsOf(path, isThere)).toBeGreaterThanOrEqual(7)
  })
})

describe('a write that has to wait', () => {
  it('leaves the event loop free, and is made once the lock is free', async () => {
    const folder = corpusFolder()
    const corpus = folder.open()
    await corpus.write('a.md', bytesOf('1'), { overwrite: false })
    const holder = openDatabase(folder.ledgerFile)
    holder.exec('BEGIN IMMEDIATE')
    let isDone = false
    const write = corpus.write('b.md', bytesOf('22'), { overwrite: false }).then(() => (isDone = true))
    let turns = 0
    for (; turns < 100; turns += 1) await new Promise((resolve) => setTimeout(resolve, 1))
    expect(isDone).toBe(false)
    holder.exec('ROLLBACK')
    holder.close()
    await write
    expect((await corpus.usage()).usedBytes).toBe(3)
    await corpus.close()
    folder.remove()
  })

  it('believes the file and not the record where a mark was left', async () => {
    const folder = corpusFolder()
    const corpus = folder.open()
    await corpus.write('a.md', bytesOf('1234'), { overwrite: false })
    const ledger = openDatabase(folder.ledgerFile)
    ledger.run('INSERT INTO mark SELECT root, ?, ? FROM corpus', 'a.md', Date.now())
    ledger.run('INSERT INTO mark SELECT root, ?, ? FROM corpus', 'gone.md', 0)
    ledger.run('UPDATE document SET size = 99')
    ledger.run('UPDATE corpus SET used = 99')
    expect((await corpus.usage()).usedBytes).toBe(4)
    expect(ledger.all('SELECT path FROM mark')).toEqual([{ path: 'a.md' }])
    await corpus.write('a.md', bytesOf('123456'), { overwrite: true })
    expect(ledger.all('SELECT path FROM mark')).toEqual([])
    ledger.close()
    expect((await corpus.usage()).usedBytes).toBe(6)
    await corpus.close()
    folder.remove()
  })
})
