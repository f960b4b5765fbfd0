import { execFileSync } from 'node:child_process'
import {
  chmodSync, existsSync, linkSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync,
  renameSync, rmSync, statSync, symlinkSync, truncateSync, writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { refusalText, Refusal } from '../../kernel/refusal.ts'
import { type Jail, type JailOptions, openJail } from './jail.ts'
import { pinByHandle, pinByName } from './pin.ts'

const LIMIT = { maxBytes: 1000 }
const UNAVAILABLE = 'file.unavailable: there is no readable file at that path'
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

const hasHandles = existsSync('/proc/self/fd')
const WAYS = [['by handle', pinByHandle], ['by name', pinByName]] as const
const ways = WAYS.filter(([way]) => hasHandles || way === 'by name')

describe.each(ways)('a jail that holds places %s', (_way, pinAt) => {
  let base = ''
  let root = ''
  const opened: Jail[] = []

  const open = async (options: JailOptions = {}, at = root): Promise<Jail> => {
    const jail = await openJail(at, { pinAt, ...options })
    opened.push(jail)
    return jail
  }
  const put = (path: string, text = 'text'): string => {
    const at = join(base, path)
    mkdirSync(join(at, '..'), { recursive: true })
    writeFileSync(at, text)
    return at
  }
  const answer = async (work: Promise<unknown>): Promise<string> => {
    const error = await work.then(() => 'no refusal', (thrown: unknown) => thrown)
    return error instanceof Refusal ? refusalText(error) : String(error)
  }
  /** Handles of this process that lead into the test's folder. */
  const handles = (): number => readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).startsWith(base)
    } catch {
      return false
    }
  }).length

  beforeEach(() => {
    base = mkdtempSync(join(tmpdir(), 'jail-'))
    root = join(base, 'root')
    put('root/docs/a.md', 'alpha')
    put('outside/secret.txt', 'SECRET')
  })
  afterEach(() => {
    for (const jail of opened.splice(0)) jail.close()
    rmSync(base, { recursive: true, force: true })
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
    expect(await jail.stat('link')).toEqual({ kind: 'file', size: 5, modifiedMs: mtimeMs, names: ['docs', 'a.md'] })
    expect(await jail.stat('docs')).toMatchObject({ kind: 'folder', names: ['docs'] })
    expect(await jail.stat('.')).toMatchObject({ kind: 'folder', names: [] })
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
