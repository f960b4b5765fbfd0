/** A write that fails at any of its steps, and one that is waited for. */

import { describe, expect, it } from 'vitest'
import { openDatabase } from '../../exits/disk/database.ts'
import { refusal } from '../../kernel/refusal.ts'
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

const aborting = (reason?: Error) => {
  const controller = new AbortController()
  return { signal: controller.signal, abort: () => controller.abort(reason) }
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

  it.each([
    ['with its own refusal', refusal('call.timeout'), 'call.timeout'], ['without one', undefined, 'call.cancelled'],
  ])('is not made any more once its signal aborted %s', async (_how, reason, code) => {
    const folder = corpusFolder()
    const corpus = folder.open()
    await corpus.write('a.md', bytesOf('1'), { overwrite: false })
    const holder = openDatabase(folder.ledgerFile)
    holder.exec('BEGIN IMMEDIATE')
    const { signal, abort } = aborting(reason)
    const ended = Promise.allSettled(['b.md', 'c.md'].map((path) => corpus.write(path, bytesOf('22'), { overwrite: false, signal })))
    await new Promise((resolve) => setTimeout(resolve, 20))
    abort()
    const waiting = ended.then(() => 'ended')
    const patience = new Promise((resolve) => setTimeout(resolve, 20_000, 'waits for the lock'))
    expect(await Promise.race([waiting, patience])).toBe('ended')
    holder.exec('ROLLBACK')
    holder.close()
    for (const outcome of await ended) expect(outcome).toMatchObject({ status: 'rejected', reason: { name: 'Refusal', code } })
    expect([...folder.documents().keys()]).toEqual(['a.md'])
    await corpus.write('d.md', bytesOf('333'), { overwrite: false })
    expect((await corpus.usage()).usedBytes).toBe(4)
    await corpus.close()
    folder.remove()
  }, 30_000)

  it('is not made when its signal aborts before the file is touched, and leaves an exact ledger', async () => {
    for (let look = 1; ; look += 1) {
      const folder = corpusFolder()
      const { signal, abort } = aborting()
      let looks = 0
      // Every look at the clock comes before the file.
      const now = (): number => {
        looks += 1
        if (looks === look) abort()
        return 1_000_000
      }
      const corpus = folder.open({ clock: { now } })
      const outcome = await corpus.write('a.md', bytesOf('1'), { overwrite: true, signal }).catch((error: unknown) => error)
      if (!signal.aborted) expect(look).toBeGreaterThan(3)
      else expect([outcome, folder.documents().size, folder.drafts()]).toEqual([expect.objectContaining({ code: 'call.cancelled' }), 0, []])
      expect((await corpus.usage()).usedBytes).toBe(sizeOfAll(folder.documents()))
      await corpus.close()
      folder.remove()
      if (!(outcome instanceof Error)) return
    }
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
