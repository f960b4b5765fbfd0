import { existsSync, linkSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openOverlay, shownChange } from '../../app/overlay.ts'
import { findGround } from '../../app/workspace-start.ts'
import type { OpenOverlay } from './index.ts'

let [base, cwd, dataDir] = ['', '', '']
let overlay: OpenOverlay
const put = (path: string, text: string): void => {
  mkdirSync(dirname(join(cwd, path)), { recursive: true })
  writeFileSync(join(cwd, path), text)
}
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const read = async (path: string): Promise<string> => new TextDecoder().decode(await overlay.read(path))
const there = (path: string): string | undefined => (existsSync(join(cwd, path)) ? readFileSync(join(cwd, path), 'utf8') : undefined)
const open = (): OpenOverlay => openOverlay(findGround(cwd, [dataDir]), dataDir)

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'arrowhead-overlay-')))
  ;[cwd, dataDir] = [join(base, 'repo'), join(base, 'data')]
  mkdirSync(cwd)
  put('a.txt', 'first\n')
  put('dir/b.txt', 'second\n')
  overlay = open()
})
afterEach(async () => {
  await overlay.close()
  rmSync(base, { recursive: true, force: true })
})

describe('an overlay', () => {
  it('shows its own writes and leaves the workspace as it was', async () => {
    await overlay.write('a.txt', bytes('changed\n'))
    await overlay.write('./new/c.txt', bytes('third\n'))
    await overlay.remove('dir/b.txt')
    expect([await read('a.txt'), await read('new/c.txt')]).toEqual(['changed\n', 'third\n'])
    await expect(overlay.read('dir/b.txt')).rejects.toMatchObject({ code: 'file.unavailable' })
    expect([there('a.txt'), there('dir/b.txt'), there('new/c.txt')]).toEqual(['first\n', 'second\n', undefined])
    expect(await overlay.changes()).toEqual([{ path: 'a.txt', kind: 'replaced', size: 8 }, { path: 'dir/b.txt', kind: 'removed', size: 0 }, { path: 'new/c.txt', kind: 'created', size: 6 }])
  })

  it('outlives its process, in a file for its owner alone, and is of one workspace', async () => {
    await overlay.write('a.txt', bytes('kept'))
    await overlay.close()
    overlay = open()
    expect(await read('a.txt')).toBe('kept')
    expect(statSync(join(dataDir, 'overlay.sqlite')).mode & 0o077).toBe(0)
    mkdirSync(join(base, 'other'))
    const other = openOverlay(findGround(join(base, 'other'), [dataDir]), dataDir)
    expect(await other.changes()).toEqual([])
    await other.close()
  })

  it('makes its changes where places are as they were, once', async () => {
    await overlay.write('a.txt', bytes('changed\n'))
    await overlay.write('new/c.txt', bytes('third\n'))
    await overlay.remove('dir/b.txt')
    expect((await overlay.apply()).map(({ outcome }) => outcome)).toEqual(['applied', 'applied', 'applied'])
    expect([there('a.txt'), there('dir/b.txt'), there('new/c.txt')]).toEqual(['changed\n', undefined, 'third\n'])
    expect(await overlay.changes()).toEqual([])
  })

  it('leaves what somebody else changed in between, and keeps its own aside', async () => {
    await overlay.write('a.txt', bytes('mine'))
    await overlay.write('c.txt', bytes('mine'))
    await overlay.remove('dir/b.txt')
    put('a.txt', 'theirs')
    put('c.txt', 'theirs')
    put('dir/b.txt', 'theirs')
    expect((await overlay.apply()).map(({ outcome }) => outcome)).toEqual(['changed', 'changed', 'changed'])
    expect([there('a.txt'), there('c.txt'), there('dir/b.txt')]).toEqual(['theirs', 'theirs', 'theirs'])
    expect(await overlay.changes()).toHaveLength(3)
    expect(await overlay.discard()).toBe(3)
    expect(await overlay.changes()).toEqual([])
  })

  it.each(['.git/hooks/pre-commit', '.arrowhead/config.json', 'deep/.arrowhead/x', '.claude/settings.json', '.mcp.json', 'pkg/AGENTS.md', '../outside.txt', '/etc/x', 'a\0', '.git', 'bare/HEAD'])('takes no write to %j', async (path) => {
    await expect(overlay.write(path, bytes('x'))).rejects.toMatchObject({ name: 'Refusal' })
    expect(await overlay.changes()).toEqual([])
  })

  it('takes no write to credentials, by their own name or through a folder that is a link', async () => {
    put('.git/config', '[core]')
    put('.ssh/notes.md', 'x')
    symlinkSync('.git', join(cwd, 'aside'))
    symlinkSync('.ssh', join(cwd, 'keys'))
    mkdirSync(join(base, 'outside'))
    symlinkSync('../outside', join(cwd, 'out'))
    for (const path of ['.env', 'server.key', 'aside/hooks/x', 'aside/description', 'keys/config']) await expect(overlay.write(path, bytes('x'))).rejects.toMatchObject({ name: 'Refusal' })
    await overlay.write('out/x.txt', bytes('x'))
    expect((await overlay.apply()).map(({ outcome }) => outcome)).toEqual(['refused'])
    expect(existsSync(join(base, 'outside', 'x.txt'))).toBe(false)
    expect(there('.git/description')).toBeUndefined()
  })

  it('writes through no link and no second name that was put there in between', async () => {
    writeFileSync(join(base, 'victim.txt'), 'victim')
    await overlay.write('new.txt', bytes('x'))
    await overlay.write('other/new.txt', bytes('x'))
    symlinkSync(join(base, 'victim.txt'), join(cwd, 'new.txt'))
    symlinkSync(base, join(cwd, 'other'))
    for (const { outcome } of await overlay.apply()) expect(outcome).not.toBe('applied')
    linkSync(join(base, 'victim.txt'), join(cwd, 'hard.txt'))
    for (const path of ['hard.txt', 'dir']) await expect(overlay.write(path, bytes('x'))).rejects.toMatchObject({ code: 'file.unavailable' })
    await overlay.apply()
    expect(readFileSync(join(base, 'victim.txt'), 'utf8')).toBe('victim')
    expect(existsSync(join(base, 'new.txt'))).toBe(false)
  })

  it('holds no change that changes nothing', async () => {
    await overlay.write('a.txt', bytes('x'))
    await overlay.write('a.txt', bytes('first\n'))
    await overlay.write('new.txt', bytes('x'))
    await overlay.remove('new.txt')
    expect(await overlay.changes()).toEqual([])
    await expect(overlay.remove('new.txt')).rejects.toMatchObject({ code: 'file.unavailable' })
  })

  it('is shown without anything that could move a cursor', async () => {
    await overlay.write('a.txt', bytes('first\n\u001b[2Jsecond\u202e\n'))
    const [change] = await overlay.changes()
    const shown = change ? await shownChange(overlay, change) : ''
    expect(shown).toContain('replaced a.txt')
    expect(shown).toContain('second')
    expect(shown).not.toMatch(/[\u001b\u202e]/)
  })

  it('leaves the workspace as a direct run of the same changes would', async () => {
    const path = fc.constantFrom('a.txt', 'dir/b.txt', 'dir/c.txt', 'x/y/z.txt')
    const step = fc.record({ path, text: fc.option(fc.string({ maxLength: 8 }), { nil: undefined }) })
    await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
      const model = new Map(['a.txt', 'dir/b.txt', 'dir/c.txt', 'x/y/z.txt'].map((one) => [one, there(one)] as const))
      for (const { path: at, text } of steps) {
        if (text === undefined && model.get(at) === undefined) await expect(overlay.remove(at)).rejects.toMatchObject({ code: 'file.unavailable' })
        else if (text === undefined) await overlay.remove(at)
        else await overlay.write(at, bytes(text))
        model.set(at, text)
      }
      expect((await overlay.apply()).every(({ outcome }) => outcome === 'applied')).toBe(true)
      for (const [at, text] of model) expect([at, there(at)]).toEqual([at, text])
    }), { numRuns: 30 })
  })
})
