import { linkSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type FolderScan, openFolderScan, type ScanOptions } from './folder-scan.ts'
import { hasHandles, jailWorld, LIMIT, ways } from './jail.fixture.ts'

describe.each(ways)('a folder scan that holds folders %s', (_way, pinAt) => {
  let base = ''
  let root = ''
  const world = jailWorld(pinAt, (made, madeRoot) => {
    base = made
    root = madeRoot
  })
  const use = <T>(work: (scan: FolderScan) => T): T => {
    const scan = openFolderScan(root, { pinAt })
    try {
      return work(scan)
    } finally {
      scan.close()
    }
  }
  const all: ScanOptions = { wants: () => true }
  const pathsOf = (prefix = '', options = all): readonly string[] => use((scan) => [...scan.files(prefix, options)].map(({ path }) => path))

  it('gives each file with its size, time and content', () => {
    use((scan) => {
      for (const file of scan.files('', all)) {
        expect(file).toMatchObject({ path: 'docs/a.md', size: 5 })
        expect(Date.now() - file.modifiedMs).toBeLessThan(60_000)
        expect(Buffer.from(file.bytes(LIMIT)).toString()).toBe('alpha')
        expect(() => file.bytes({ maxBytes: 4 })).toThrow(expect.objectContaining({ code: 'file.too-large' }))
      }
    })
  })

  it('follows no link, opens nothing special and nothing with a second name', () => {
    symlinkSync('docs', join(root, 'link'))
    symlinkSync('../outside', join(root, 'out'))
    symlinkSync('docs/a.md', join(root, 'a-link.md'))
    linkSync(join(base, 'outside/secret.txt'), join(root, 'hard.txt'))
    execFileSync('mkfifo', [join(root, 'pipe.md')])
    expect(pathsOf()).toEqual(['docs/a.md'])
    for (const prefix of ['docs/.', './docs/', 'docs//']) expect(pathsOf(prefix)).toEqual(['docs/a.md'])
    for (const prefix of ['link/', 'out/', 'out/secret', 'a-link.md', 'docs/a.md/']) expect(pathsOf(prefix)).toEqual([])
  })

  it('leaves out credentials, drafts and names that no path can say', () => {
    world.put('root/.env', 'SECRET')
    world.put('root/.ssh/notes.md', 'SECRET')
    world.put('root/x/credentials.json', '{}')
    world.put('root/x/.arrowhead-0123456789abcdef01234567.tmp')
    world.put('root/back\\slash.md')
    world.put('root/line\nfeed.md')
    writeFileSync(Buffer.concat([Buffer.from(`${root}/bytes-`), Buffer.from([0xff]), Buffer.from('.md')]), 'text')
    const drafts: string[] = []
    expect(pathsOf('', { ...all, onDraft: (path) => drafts.push(path) })).toEqual(['docs/a.md'])
    expect(drafts).toEqual(['x/.arrowhead-0123456789abcdef01234567.tmp'])
    for (const prefix of ['.ssh/', '.e', 'x/cred']) expect(pathsOf(prefix)).toEqual([])
  })

  it('spells names in normal form C, and knows one file under two spellings as one', () => {
    world.put('root/re\u0301.md', 'decomposed')
    world.put('root/ré.md', 'composed')
    world.put('root/nur-e\u0301.md', 'only')
    expect(use((scan) => [...scan.files('', all)].map(({ path, size }) => `${path} ${size}`))).toEqual(['docs/a.md 5', 'nur-é.md 4', 'ré.md 8'])
    expect(pathsOf('nur-e\u0301')).toEqual(['nur-é.md'])
  })

  it('looks at no more names than it may', () => {
    for (let n = 0; n < 10; n += 1) world.put(`root/${n}.png`)
    const few = { wants: (name: string) => name.endsWith('.md'), maxNames: 11 }
    expect(() => pathsOf('', few)).toThrow(expect.objectContaining({ code: 'file.too-large' }))
    expect(pathsOf('', { ...few, maxNames: 12 })).toEqual(['docs/a.md'])
    expect(() => pathsOf('', { ...few, maxNames: Number.NaN })).toThrow(expect.objectContaining({ code: 'file.too-large' }))
  })

  it('goes on when files and folders vanish under it', () => {
    for (const path of ['b/1.md', 'b/2.md', 'c/1.md', 'd.md']) world.put(`root/${path}`)
    const seen: string[] = []
    use((scan) => {
      for (const { path } of scan.files('', all)) {
        seen.push(path)
        if (path === 'b/1.md') {
          rmSync(join(root, 'b'), { recursive: true })
          rmSync(join(root, 'c'), { recursive: true })
        }
      }
    })
    expect(seen).toEqual(['b/1.md', 'd.md', 'docs/a.md'])
  })

  it('reads nothing of a folder that took the place of one it was about to enter', () => {
    world.put('root/b/a.md', 'mine')
    const texts: string[] = []
    use((scan) => {
      for (const file of scan.files('', { wants: (name) => name.endsWith('.md') || name.endsWith('.txt') })) {
        texts.push(Buffer.from(file.bytes(LIMIT)).toString())
        if (file.path !== 'b/a.md') continue
        renameSync(join(root, 'docs'), join(base, 'moved'))
        symlinkSync('../outside', join(root, 'docs'))
      }
    })
    expect(texts).toEqual(['mine'])
  })

  it.skipIf(!hasHandles)('lets go of every handle, at its end and when it is left', () => {
    for (const path of ['b/c/1.md', 'b/c/2.md']) world.put(`root/${path}`)
    const before = world.handles()
    use((scan) => {
      const one = world.handles()
      for (const _file of scan.files('b/c/', all)) break
      expect([...scan.files('', all)]).toHaveLength(3)
      expect(() => [...scan.files('', { ...all, maxNames: 2 })]).toThrow()
      expect(world.handles()).toBe(one)
    })
    expect(world.handles()).toBe(before)
  })

  it('says no when it is closed, and when there is no folder', () => {
    const scan = openFolderScan(root, { pinAt })
    scan.close()
    scan.close()
    expect(() => scan.files('', all)).toThrow(expect.objectContaining({ code: 'file.unavailable' }))
    mkdirSync(join(base, 'empty'))
    for (const none of ['root/docs/a.md', 'nope']) {
      expect(() => openFolderScan(join(base, none), { pinAt })).toThrow(expect.objectContaining({ code: 'file.unavailable' }))
    }
  })
})
