import { execFileSync } from 'node:child_process'
import {
  chmodSync, existsSync, linkSync, lstatSync, readdirSync, readFileSync, renameSync, statSync, symlinkSync,   } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { LIMIT, UNAVAILABLE, bytes, jailWorld, ways } from './jail.fixture.ts'
import { pinByName } from './pin.ts'

describe.each(ways)('a jail that writes and holds places %s', (_way, pinAt) => {
  let base = ''
  let root = ''
  const { open, put, answer } = jailWorld(pinAt, (madeBase, madeRoot) => {
    base = madeBase
    root = madeRoot
  })

  it('writes a new file for the owner alone, with the folders above it, and leaves no draft', async () => {
    const jail = await open()
    await jail.writeFile('new/deep/x.md', bytes('hello'), { overwrite: false })
    expect(readFileSync(join(root, 'new/deep/x.md'), 'utf8')).toBe('hello')
    expect(statSync(join(root, 'new/deep/x.md')).mode & 0o777).toBe(0o600)
    expect(readdirSync(join(root, 'new/deep'))).toEqual(['x.md'])
    await jail.writeFile('empty', bytes(''), { overwrite: true })
    expect(await jail.readText('empty', LIMIT)).toBe('')
  })

  it('does not take the place of anything unless told to', async () => {
    symlinkSync('nowhere', join(root, 'dangling'))
    const jail = await open()
    for (const path of ['docs/a.md', 'docs', 'dangling']) {
      expect(await answer(jail.writeFile(path, bytes('x'), { overwrite: false }))).toMatch(/^file\.exists/)
    }
    expect(readFileSync(join(root, 'docs/a.md'), 'utf8')).toBe('alpha')
  })

  it('replaces a file whole and keeps its permissions, but replaces no folder, link or FIFO', async () => {
    chmodSync(join(root, 'docs/a.md'), 0o640)
    symlinkSync('docs/a.md', join(root, 'link'))
    symlinkSync('../outside/new.txt', join(root, 'dangling'))
    execFileSync('mkfifo', [join(root, 'pipe')])
    const jail = await open()
    await jail.writeFile('docs/a.md', bytes('beta'), { overwrite: true })
    expect(readFileSync(join(root, 'docs/a.md'), 'utf8')).toBe('beta')
    expect(statSync(join(root, 'docs/a.md')).mode & 0o777).toBe(0o640)
    for (const path of ['docs', 'link', 'dangling', 'pipe', 'docs/', '.', 'docs/a.md/x']) {
      expect([path, await answer(jail.writeFile(path, bytes('x'), { overwrite: true }))]).toEqual([path, UNAVAILABLE])
    }
    expect(existsSync(join(base, 'outside/new.txt'))).toBe(false)
    expect(readFileSync(join(root, 'docs/a.md'), 'utf8')).toBe('beta')
  })

  it('writes through folder links that stay inside, and makes nothing behind other links', async () => {
    symlinkSync('docs', join(root, 'dir'))
    symlinkSync('../outside', join(root, 'out'))
    symlinkSync('made', join(root, 'dangling'))
    const jail = await open()
    await jail.writeFile('dir/b.md', bytes('b'), { overwrite: false })
    expect(readFileSync(join(root, 'docs/b.md'), 'utf8')).toBe('b')
    for (const path of ['out/b.md', 'out/new/b.md', 'dangling/b.md']) {
      expect([path, await answer(jail.writeFile(path, bytes('x'), { overwrite: true }))]).toEqual([path, UNAVAILABLE])
    }
    expect(await answer(jail.makeDirectory('dangling/x'))).toBe(UNAVAILABLE)
    expect(readdirSync(join(base, 'outside'))).toEqual(['secret.txt'])
    expect(existsSync(join(root, 'made'))).toBe(false)
  })

  it('gives a new file its name only if nobody took it meanwhile', async () => {
    let raced = false
    const jail = await open({ onStep: () => {
      if (readdirSync(join(root, 'docs')).some((name) => name.startsWith('.arrowhead-'))) {
        raced = true
        put('root/docs/new.md', 'first')
      }
    } })
    expect(await answer(jail.writeFile('docs/new.md', bytes('second'), { overwrite: false }))).toMatch(/^file\.exists/)
    expect(raced).toBe(true)
    expect(readFileSync(join(root, 'docs/new.md'), 'utf8')).toBe('first')
    expect(readdirSync(join(root, 'docs'))).toEqual(['a.md', 'new.md'])
  })

  it('publishes nothing in a folder that was carried out of the root meanwhile', async () => {
    let moved = false
    const jail = await open({ onStep: () => {
      if (moved || !readdirSync(join(root, 'docs')).some((name) => name.startsWith('.arrowhead-'))) return
      renameSync(join(root, 'docs'), join(base, 'outside/docs'))
      moved = true
    } })
    expect(await answer(jail.writeFile('docs/new.md', bytes('x'), { overwrite: true }))).toBe(UNAVAILABLE)
    expect(moved).toBe(true)
    expect(readdirSync(join(base, 'outside/docs'))).not.toContain('new.md')
  })

  it('reads nothing from a folder that was carried out of the root on the way', async () => {
    let steps = 0
    const jail = await open({ onStep: () => {
      steps += 1
      if (steps === 2) renameSync(join(root, 'docs'), join(base, 'outside/docs'))
      if (steps === 2 && pinAt === pinByName) symlinkSync('../outside/docs', join(root, 'docs'))
    } })
    expect(await answer(jail.readText('docs/a.md', LIMIT))).toBe(UNAVAILABLE)
    expect(steps).toBe(2)
  })

  it('reads the new file when the old one was replaced between the look and the open', async () => {
    let steps = 0
    const jail = await open({ onStep: () => {
      steps += 1
      if (steps === 3) renameSync(put('root/docs/b.md', 'beta'), join(root, 'docs/a.md'))
    } })
    const got = await answer(jail.readText('docs/a.md', LIMIT).then((text) => { throw new Error(text) }))
    expect(got).toBe(pinAt === pinByName ? UNAVAILABLE : 'Error: beta')
  })

  it('shows no draft in a list, and reads a file whose writer died before it took the draft away', async () => {
    const draft = join(root, 'docs', `.arrowhead-${'0'.repeat(24)}.tmp`)
    linkSync(join(root, 'docs/a.md'), draft)
    const jail = await open()
    expect(await jail.list('docs')).toEqual([{ name: 'a.md', kind: 'file' }])
    expect(await jail.readText('docs/a.md', LIMIT)).toBe('alpha')
    linkSync(draft, join(base, 'outside/third'))
    expect(await answer(jail.readText('docs/a.md', LIMIT))).toBe(UNAVAILABLE)
  })

  it('removes files and links themselves, never what a link leads to, and no folder', async () => {
    symlinkSync('../outside/secret.txt', join(root, 'out'))
    symlinkSync('../outside', join(root, 'dir'))
    const jail = await open()
    await jail.remove('out')
    await jail.remove('docs/a.md')
    expect(() => lstatSync(join(root, 'out'))).toThrow(/ENOENT/)
    expect(readdirSync(join(root, 'docs'))).toEqual([])
    for (const path of ['docs', 'docs/', '.', 'dir/secret.txt', 'missing']) {
      expect([path, await answer(jail.remove(path))]).toEqual([path, UNAVAILABLE])
    }
    expect(readFileSync(join(base, 'outside/secret.txt'), 'utf8')).toBe('SECRET')
  })

  it('makes folders once and again, and none where a file is', async () => {
    const jail = await open()
    await jail.makeDirectory('a/b/c')
    await jail.makeDirectory('a/b/c/')
    expect(statSync(join(root, 'a/b/c')).isDirectory()).toBe(true)
    expect(await answer(jail.makeDirectory('docs/a.md'))).toBe(UNAVAILABLE)
    expect(await answer(jail.makeDirectory('docs/a.md/x'))).toBe(UNAVAILABLE)
  })
})
