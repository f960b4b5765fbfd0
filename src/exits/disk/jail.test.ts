import { execFileSync } from 'node:child_process'
import {
  chmodSync, linkSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, symlinkSync, truncateSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { LIMIT, UNAVAILABLE, bytes, hasHandles, jailWorld, ways } from './jail.fixture.ts'
import { openJail } from './jail.ts'
import { pinByName } from './pin.ts'

describe.each(ways)('a jail that holds places %s', (_way, pinAt) => {
  let base = ''
  let root = ''
  const { open, put, answer, handles } = jailWorld(pinAt, (madeBase, madeRoot) => {
    base = madeBase
    root = madeRoot
  })

  it('gives one text for everything that is not a readable file inside', async () => {
    symlinkSync('../outside/secret.txt', join(root, 'out'))
    symlinkSync('/etc/passwd', join(root, 'absolute'))
    symlinkSync('loop', join(root, 'loop'))
    symlinkSync('nowhere', join(root, 'dangling'))
    symlinkSync('/dev/zero', join(root, 'zero'))
    symlinkSync(`${root}-evil/x`, join(root, 'sibling'))
    put('root-evil/x')
    linkSync(join(base, 'outside/secret.txt'), join(root, 'hard'))
    execFileSync('mkfifo', [join(root, 'pipe')])
    const jail = await open()
    const paths = [
      'missing', 'docs', 'docs/', 'docs/a.md/', 'docs/a.md/.', 'docs/a.md/b', '.', 'out', 'absolute', 'loop',
      'dangling', 'zero', 'sibling', 'hard', 'pipe', `${'x'.repeat(255)}`, `${'d/'.repeat(300)}f`,
    ]
    for (const path of paths) {
      expect([path, await answer(jail.readText(path, LIMIT))]).toEqual([path, UNAVAILABLE])
      expect([path, await answer(jail.openForRead(path))]).toEqual([path, UNAVAILABLE])
    }
  })

  it('refuses a socket', async () => {
    const server = createServer()
    await new Promise<void>((done) => server.listen(join(root, 's'), done))
    expect(await answer((await open()).readText('s', LIMIT))).toBe(UNAVAILABLE)
    await new Promise((done) => server.close(done))
  })

  it.skipIf(process.getuid?.() === 0)('refuses what the process may not read (skipped for root)', async () => {
    chmodSync(join(root, 'docs/a.md'), 0)
    expect(await answer((await open()).readText('docs/a.md', LIMIT))).toBe(UNAVAILABLE)
  })

  it('follows links that stay inside, absolute ones too, and says where the file really is', async () => {
    symlinkSync('docs', join(root, 'dir'))
    symlinkSync(`${root}//docs/./a.md`, join(root, 'absolute'))
    symlinkSync('../dir/../dir/a.md', join(root, 'docs/round'))
    const jail = await open()
    for (const path of ['dir/a.md', 'absolute', 'docs/round', 'dir/round']) {
      const file = await jail.openForRead(path)
      expect([path, file.text(LIMIT), file.names]).toEqual([path, 'alpha', ['docs', 'a.md']])
      file.close()
    }
  })

  it('does not take the root for its own parent', async () => {
    symlinkSync('../docs/a.md', join(root, 'above'))
    symlinkSync('../root/docs/a.md', join(root, 'round'))
    const jail = await open()
    expect(await answer(jail.readText('above', LIMIT))).toBe(UNAVAILABLE)
    expect(await answer(jail.readText('round', LIMIT))).toBe(UNAVAILABLE)
  })

  it('goes down 256 names and not one more', async () => {
    put(`root/${'d/'.repeat(255)}f`)
    put(`root/${'d/'.repeat(255)}e/f`)
    const jail = await open()
    expect(await jail.readText(`${'d/'.repeat(255)}f`, LIMIT)).toBe('text')
    expect(await answer(jail.readText(`${'d/'.repeat(255)}e/f`, LIMIT))).toBe(UNAVAILABLE)
  })

  it('follows forty links and not one more', async () => {
    symlinkSync('docs/a.md', join(root, 'l1'))
    for (let n = 2; n <= 41; n += 1) symlinkSync(`l${n - 1}`, join(root, `l${n}`))
    const jail = await open()
    expect(await jail.readText('l40', LIMIT)).toBe('alpha')
    expect(await answer(jail.readText('l41', LIMIT))).toBe(UNAVAILABLE)
  })

  it('opens a root behind a link once, and keeps it when the link is turned', async () => {
    symlinkSync('root', join(base, 'alias'))
    symlinkSync(join(base, 'alias/docs/a.md'), join(root, 'by-alias'))
    const jail = await open({}, join(base, 'alias'))
    rmSync(join(base, 'alias'))
    symlinkSync('outside', join(base, 'alias'))
    expect(await jail.readText('docs/a.md', LIMIT)).toBe('alpha')
    expect(await jail.readText('by-alias', LIMIT)).toBe('alpha')
    expect(await answer(jail.readText('secret.txt', LIMIT))).toBe(UNAVAILABLE)
  })

  it('does not open a root that is missing or a file', async () => {
    expect(await answer(openJail(join(base, 'none'), { pinAt }))).toBe(UNAVAILABLE)
    expect(await answer(openJail(join(root, 'docs/a.md'), { pinAt }))).toBe(UNAVAILABLE)
  })

  it('reads hard links only where that was allowed', async () => {
    linkSync(join(root, 'docs/a.md'), join(root, 'twin'))
    expect(await answer((await open()).readText('twin', LIMIT))).toBe(UNAVAILABLE)
    expect(await (await open({ allowHardLinks: true })).readText('twin', LIMIT)).toBe('alpha')
  })

  it('keeps credentials, by the written name and by the real one', async () => {
    put('root/.env', 'A=1')
    put('root/.ssh/config', 'Host')
    put('root/plain.txt')
    symlinkSync('.env', join(root, 'notes'))
    symlinkSync('.ssh', join(root, 'cfg'))
    symlinkSync('plain.txt', join(root, '.env.local'))
    const jail = await open()
    const text = 'file.credential: files that hold credentials are not read'
    for (const path of ['.env', 'x/missing.pem', 'notes', 'cfg/config', '.env.local']) {
      expect([path, await answer(jail.readText(path, LIMIT))]).toEqual([path, text])
    }
    expect(await answer(jail.list('cfg'))).toBe(text)
    expect(await answer(jail.writeFile('cfg/new', bytes('x'), { overwrite: true }))).toBe(text)
    expect(await answer(jail.remove('.env'))).toBe(text)
    mkdirSync(join(root, '.docker'))
    symlinkSync('.docker', join(root, 'dk'))
    expect(await answer(jail.writeFile('dk/config.json', bytes('x'), { overwrite: true }))).toBe(text)
    expect(readdirSync(join(root, '.docker'))).toEqual([])
    expect(await (await open({ allowCredentials: true })).readText('notes', LIMIT)).toBe('A=1')
  })

  it('reads up to the limit, and refuses one byte more', async () => {
    const jail = await open()
    expect(await jail.readText('docs/a.md', { maxBytes: 5 })).toBe('alpha')
    expect(await answer(jail.readText('docs/a.md', { maxBytes: 4 }))).toMatch(/^file\.too-large/)
    expect(await answer(jail.readText('docs/a.md', { maxBytes: Number.NaN }))).toMatch(/^file\.too-large/)
    truncateSync(put('root/big'), 2 ** 40)
    expect(await answer(jail.readBytes('big', { maxBytes: 1e6 }))).toMatch(/^file\.too-large/)
  })

  it('holds the limit while a file grows, and reads all of what is below it', async () => {
    const file = await (await open()).openForRead('docs/a.md')
    writeFileSync(join(root, 'docs/a.md'), 'x'.repeat(900))
    expect(file.text(LIMIT)).toBe('x'.repeat(900))
    writeFileSync(join(root, 'docs/a.md'), 'x'.repeat(1001))
    expect(() => file.text(LIMIT)).toThrow(expect.objectContaining({ code: 'file.too-large' }))
    file.close()
    file.close()
    expect(() => file.text(LIMIT)).toThrow(TypeError)
  })

  it('reads UTF-8 as it is, and nothing else as text', async () => {
    put('root/bom', '\ufeffa\r\n\u6587')
    writeFileSync(join(root, 'latin'), Buffer.from([0x61, 0xe9]))
    const jail = await open()
    expect(await jail.readText('bom', LIMIT)).toBe('\ufeffa\r\n\u6587')
    expect(await answer(jail.readText('latin', LIMIT))).toBe(`${UNAVAILABLE}; only UTF-8 text is read`)
    expect([...await jail.readBytes('latin', LIMIT)]).toEqual([0x61, 0xe9])
  })

  it('finds a name that the disk keeps decomposed', async () => {
    put('root/u\u0308.txt', 'nfd')
    const jail = await open()
    expect(await jail.readText('\u00fc.txt', LIMIT)).toBe('nfd')
    await jail.writeFile('\u00fc.txt', bytes('new'), { overwrite: true })
    expect(readdirSync(root)).toEqual(['docs', 'u\u0308.txt'])
  })

  it('lists a folder by name, says what is a link, and does not follow it', async () => {
    symlinkSync('../outside', join(root, 'out'))
    execFileSync('mkfifo', [join(root, 'pipe')])
    put('root/B')
    const jail = await open()
    expect(await jail.list('.')).toEqual([
      { name: 'B', kind: 'file' }, { name: 'docs', kind: 'folder' },
      { name: 'out', kind: 'link' }, { name: 'pipe', kind: 'other' },
    ])
    expect(await jail.list('docs/')).toEqual([{ name: 'a.md', kind: 'file' }])
    expect(await answer(jail.list('out'))).toBe(UNAVAILABLE)
    expect(await answer(jail.list('B'))).toBe(UNAVAILABLE)
    expect(await answer(jail.list('.', { maxEntries: 3 }))).toMatch(/^file\.too-large/)
  })

  it('tells size, age and real place of files and folders', async () => {
    symlinkSync('docs/a.md', join(root, 'link'))
    const jail = await open()
    const { mtimeMs } = statSync(join(root, 'docs/a.md'))
    expect(await jail.stat('link')).toEqual({ kind: 'file', size: 5, modifiedMs: mtimeMs, links: 1, names: ['docs', 'a.md'] })
    expect(await jail.stat('docs')).toMatchObject({ kind: 'folder', names: ['docs'] })
    expect(await jail.stat('.')).toMatchObject({ kind: 'folder', names: [] })
  })

  it('refuses paths that are not relative and plain before it looks at the disk', async () => {
    let steps = 0
    const jail = await open({ onStep: () => { steps += 1 } })
    for (const path of ['', '/etc/passwd', '../outside/secret.txt', 'docs/../docs/a.md', 'a\0b', 'a\\b']) {
      expect(await answer(jail.readText(path, LIMIT))).toMatch(/^path\.invalid/)
      expect(await answer(jail.writeFile(path, bytes('x'), { overwrite: true }))).toMatch(/^path\.invalid/)
    }
    expect(steps).toBe(0)
  })

  it('names no path in any error', async () => {
    const jail = await open({ onStep: () => { throw Object.assign(new Error('EIO /canary'), { code: 'EIO' }) } })
    const error: unknown = await jail.readText('canary', LIMIT).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ message: 'a disk operation failed', cause: 'EIO' })
    expect(JSON.stringify([String(error), error])).not.toContain('canary')
  })

  it('refuses everything after it was closed', async () => {
    const jail = await open()
    jail.close()
    jail.close()
    expect(await answer(jail.readText('docs/a.md', LIMIT))).toBe(UNAVAILABLE)
  })

  it.skipIf(!hasHandles)('keeps no handle over a thousand calls of every kind', async () => {
    symlinkSync('../outside', join(root, 'out'))
    symlinkSync('docs', join(root, 'dir'))
    symlinkSync('loop', join(root, 'loop'))
    linkSync(join(root, 'docs/a.md'), join(root, 'hard'))
    execFileSync('mkfifo', [join(root, 'pipe')])
    put('root/own.txt')
    const jail = await open({}, root)
    const before = handles()
    const paths = ['own.txt', 'out/secret.txt', 'dir/missing', 'loop', 'hard', 'pipe', 'docs', 'own.txt/x', '.env']
    for (let n = 0; n < 1000; n += 1) {
      const path = paths[n % paths.length] ?? ''
      await answer(jail.readText(path, { maxBytes: n % 2 === 0 ? 1 : 100 }))
      if (n % 5 === 0) await answer(jail.list(path))
      if (n % 50 === 0) {
        await answer(jail.writeFile(path, bytes('x'), { overwrite: n % 100 === 0 }))
        await answer(jail.writeFile(`dir/new-${n}`, bytes('x'), { overwrite: false }))
        await answer(jail.remove(`dir/new-${n}`))
      }
    }
    expect(handles()).toBe(before)
  })

  it.skipIf(pinAt === pinByName)('keeps credentials by the name that a folder got on the way', async () => {
    let steps = 0
    const jail = await open({ onStep: () => {
      steps += 1
      if (steps === 2) renameSync(join(root, 'docs'), join(root, '.ssh'))
    } })
    expect(await answer(jail.readText('docs/a.md', LIMIT))).toMatch(/^file\.credential/)
  })

  it.skipIf(pinAt === pinByName)('stays with a root that was renamed', async () => {
    const jail = await open()
    renameSync(root, join(base, 'moved'))
    expect(await jail.readText('docs/a.md', LIMIT)).toBe('alpha')
  })
})
