import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Refusal } from '../../kernel/refusal.ts'
import { openJail } from './jail.ts'

const LIMIT = { maxBytes: 10_000_000 }

/** Swaps a folder, and a file in another, for links to outside, as fast as it can, until it is killed. */
const SWAPPER = `
const fs = require('node:fs')
process.chdir(process.argv[1])
process.stdout.write('ready')
const clear = (path) => fs.rmSync(path, { recursive: true, force: true })
// Writes beside this make folders of their own where one is missing, so a step may need another try.
const until = (step) => { for (;;) try { return step() } catch {} }
for (;;) {
  until(() => fs.renameSync('docs', 'docs-aside'))
  until(() => { clear('docs'); fs.symlinkSync('../outside', 'docs') })
  until(() => { clear('docs'); fs.renameSync('docs-aside', 'docs') })
  fs.renameSync('keep/a.md', 'keep/aside'); fs.symlinkSync('../../outside/a.md', 'keep/a.md')
  fs.unlinkSync('keep/a.md'); fs.renameSync('keep/aside', 'keep/a.md')
}`

/** Replaces one document by whole documents of one letter, through a jail of its own, until it is killed. */
const WRITER = `
const [, jailUrl, root] = process.argv
const { openJail } = await import(jailUrl)
const jail = await openJail(root)
process.stdout.write('ready')
for (let n = 0; ; n += 1) {
  const text = 'abcdefgh'[n % 8].repeat(50_000 + n % 8)
  await jail.writeFile('docs/a.md', Buffer.from(text), { overwrite: true })
}`

describe.skipIf(!existsSync('/proc/self/fd'))('a jail beside a process that changes the tree (Linux)', () => {
  let base = ''
  let root = ''
  let stop = async (): Promise<void> => {}

  const start = async (args: readonly string[]): Promise<void> => {
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    stop = async () => {
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      await gone
    }
    await once(child.stdout, 'data')
  }

  beforeEach(() => {
    base = mkdtempSync(join(tmpdir(), 'jail-race-'))
    root = join(base, 'root')
    for (const folder of ['root/docs', 'root/keep', 'outside']) mkdirSync(join(base, folder), { recursive: true })
    for (const file of ['root/docs/a.md', 'root/keep/a.md']) writeFileSync(join(base, file), 'INSIDE')
    for (const file of ['a.md', 'only-outside.md']) writeFileSync(join(base, 'outside', file), 'OUTSIDE')
  })
  afterEach(async () => {
    await stop()
    stop = async () => {}
    rmSync(base, { recursive: true, force: true })
  })

  it('never reads outside while folders and files are swapped for links', async () => {
    await start(['-e', SWAPPER, root])
    const jail = await openJail(root)
    const seen = new Map<string, number>()
    const count = (what: string) => seen.set(what, (seen.get(what) ?? 0) + 1)
    for (let n = 0; n < 5000 || seen.size < 4; n += 1) {
      const path = n % 2 === 0 ? 'docs/a.md' : 'keep/a.md'
      const got = await jail.readText(path, LIMIT).catch((error: unknown) => error)
      count(`${path} ${got instanceof Refusal ? got.code : String(got)}`)
    }
    jail.close()
    expect([...seen.keys()].sort()).toEqual([
      'docs/a.md INSIDE', 'docs/a.md file.unavailable', 'keep/a.md INSIDE', 'keep/a.md file.unavailable',
    ])
  })

  it('never writes or lists outside while folders are swapped for links', async () => {
    await start(['-e', SWAPPER, root])
    const jail = await openJail(root)
    let [written, listed] = [0, 0]
    for (let n = 0; n < 300 || written === 0 || listed === 0; n += 1) {
      const path = `docs/new-${n % 10}`
      await jail.writeFile(path, Buffer.from('x'), { overwrite: true }).then(() => { written += 1 }, () => {})
      const names = await jail.list('docs').then((entries) => entries.map((entry) => entry.name), () => [])
      if (names.length > 0) listed += 1
      expect(names).not.toContain('only-outside.md')
    }
    jail.close()
    expect(readdirSync(join(base, 'outside'))).toEqual(['a.md', 'only-outside.md'])
    expect(readFileSync(join(base, 'outside/a.md'), 'utf8')).toBe('OUTSIDE')
  })

  it('reads a whole document, old or new, while another process replaces it', async () => {
    const source = fileURLToPath(new URL('./jail.ts', import.meta.url))
    const outfile = join(base, 'jail.mjs')
    await build({ entryPoints: [source], outfile, bundle: true, platform: 'node', format: 'esm' })
    await start(['--input-type=module', '-e', WRITER, outfile, root])
    const jail = await openJail(root)
    const whole = new Set<string>()
    for (let n = 0; n < 2000 || whole.size < 4; n += 1) {
      const text = await jail.readText('docs/a.md', LIMIT)
      if (text === 'INSIDE') continue
      whole.add(text.charAt(0))
      expect(text === text.charAt(0).repeat(50_000 + 'abcdefgh'.indexOf(text.charAt(0)))).toBe(true)
    }
    jail.close()
  })
})
