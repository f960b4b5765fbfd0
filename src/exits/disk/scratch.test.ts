import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { removeTree, removeTreeInTurns } from './remove-tree.ts'
import { closedToOthers, openScratchRoot } from './scratch.ts'
import type { IsAlive, ScratchRoot } from './scratch.ts'

let base: string
beforeEach(() => void (base = mkdtempSync(join(tmpdir(), 'arrowhead-scratch-'))))
afterEach(() => rmSync(base, { recursive: true, force: true }))

const root = (isAlive: IsAlive = () => true, start = '42'): ScratchRoot => openScratchRoot({ root: join(base, 'scratch'), start, isAlive })

describe('a scratch folder', () => {
  it('is fresh, private, and gone after its run', async () => {
    const one = root().open()
    expect(readdirSync(one.folder)).toEqual([])
    expect(statSync(one.folder).mode & 0o777).toBe(0o700)
    one.write(['a', 'b', 'c.txt'], Buffer.from('text'))
    expect(readFileSync(join(one.folder, 'a/b/c.txt'), 'utf8')).toBe('text')
    await one.remove()
    expect(readdirSync(join(base, 'scratch'))).toEqual([])
  })

  it('of a server that is gone is taken away by the next start', () => {
    root().open().write(['left'], Buffer.from('x'))
    const asked: unknown[] = []
    root((...of) => {
      asked.push(of)
      return false
    })
    expect(asked).toEqual([[process.pid, '42']])
    expect(readdirSync(join(base, 'scratch'))).toEqual([])
  })

  it('of a server that lives stays', () => {
    const { folder } = root().open()
    root(() => true)
    expect(existsSync(folder)).toBe(true)
  })

  it('of another machine stays, whatever its numbers mean here', () => {
    const { folder } = root().open()
    const elsewhere = folder.replace(/run-[0-9a-f]{12}/, 'run-0123456789ab')
    renameSync(folder, elsewhere)
    root(() => false)
    expect(existsSync(elsewhere)).toBe(true)
  })

  it('is the only kind of thing that is taken away', () => {
    root()
    for (const name of ['run-notes', 'mine', `run-0123456789ab-1-1-short`]) mkdirSync(join(base, 'scratch', name))
    root(() => false)
    expect(readdirSync(join(base, 'scratch'))).toHaveLength(3)
  })
})

describe('taking a tree away', () => {
  it('works however deep it is', () => {
    const name = 'd'.repeat(200)
    // Each level goes below a new top, so that no path is longer than the system allows.
    let top = join(base, 'seed')
    mkdirSync(top)
    for (let depth = 0; depth < 100; depth += 1) {
      const above = join(base, `up-${depth}`)
      mkdirSync(above)
      renameSync(top, join(above, name))
      top = above
    }
    removeTree(top)
    expect(readdirSync(base)).toEqual([])
  })

  it('works whatever its modes are', () => {
    const tree = join(base, 'tree')
    mkdirSync(join(tree, 'a/b'), { recursive: true })
    writeFileSync(join(tree, 'a/b/file'), 'x')
    for (const folder of ['a/b', 'a', '.']) chmodSync(join(tree, folder), 0)
    removeTree(tree)
    expect(existsSync(tree)).toBe(false)
  })

  it('takes links away, not what they lead to', () => {
    mkdirSync(join(base, 'outside'))
    writeFileSync(join(base, 'outside/kept'), 'x')
    mkdirSync(join(base, 'tree'))
    symlinkSync('../outside', join(base, 'tree/link'))
    symlinkSync('outside', join(base, 'link'))
    removeTree(join(base, 'tree'))
    removeTree(join(base, 'link'))
    expect(readdirSync(base)).toEqual(['outside'])
    expect(existsSync(join(base, 'outside/kept'))).toBe(true)
  })

  it('leaves turns to everything else', async () => {
    const tree = join(base, 'tree')
    for (let index = 0; index < 2_000; index += 1) mkdirSync(join(tree, `${index % 50}/${index}`), { recursive: true })
    let turns = 0
    const ticking = setInterval(() => void (turns += 1), 1)
    await removeTreeInTurns(tree)
    clearInterval(ticking)
    expect(existsSync(tree)).toBe(false)
    expect(turns).toBeGreaterThan(1)
  })

  it('does nothing where there is nothing', () => {
    expect(() => removeTree(join(base, 'never'))).not.toThrow()
    expect(() => removeTree(join(base, 'never/was'))).not.toThrow()
  })
})

it('names the folder that others may not enter', () => {
  mkdirSync(join(base, 'open'))
  expect(closedToOthers(join(base, 'open/scratch'))).toBe(base)
  chmodSync(base, 0o711)
  expect(closedToOthers(join(base, 'open/scratch'))).toBeUndefined()
})
