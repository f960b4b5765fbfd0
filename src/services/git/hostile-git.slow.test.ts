/** What a hostile repository holds is read as data, within bounds, or not at all: no process, nothing outside, and this process stands afterwards. */

import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { codeOf, openMachine, valueOf } from '../../tools/files/machine.fixture.ts'
import type { Machine } from '../../tools/files/machine.fixture.ts'
import { buildRepository } from './hostile-git.fixture.ts'
import type { Built } from './hostile-git.fixture.ts'

const TOOLS = ['git_status', 'git_log', 'git_diff', 'git_branches', 'git_info'] as const
const NONE = '0'.repeat(40)
const MEGABYTE = 1_000_000

let machine: Machine
let built: Built
beforeEach(() => {
  machine = openMachine()
  mkdirSync(join(machine.home, 'hostile'))
  built = buildRepository(join(machine.home, 'hostile'))
})
afterEach(() => machine.close())

const ask = async (name: string, args: object = {}) => machine.call(name, { path: 'hostile', ...args }, 'absent')
const codes = async (): Promise<Readonly<Record<string, string>>> => {
  const found: Record<string, string> = {}
  for (const name of TOOLS) found[name] = codeOf(await ask(name))
  return found
}
const children = (): string => spawnSync('ps', ['--no-headers', '--ppid', String(process.pid), '-o', 'comm'], { encoding: 'utf8' }).stdout.split('\n').filter((name) => name !== '' && name !== 'ps').join()
const blob = (text: string): string => built.object('blob', Buffer.from(text))
const simple = (): string => built.commit(built.tree([{ mode: '100644', name: 'a', id: blob('text\n') }]))

it('an honest one that was built the same way is read (so the others can fail)', async () => {
  simple()
  expect(await codes()).toEqual({ git_status: 'ok', git_log: 'ok', git_diff: 'ok', git_branches: 'ok', git_info: 'ok' })
  expect(valueOf(await ask('git_status'))).toMatchObject({ changes: [{ path: 'a', state: 'deleted' }] })
})

it('configuration that names programs and files elsewhere is text', async () => {
  simple()
  const [marker, script] = [join(machine.outside, 'started'), join(machine.outside, 'script')]
  writeFileSync(script, `#!/bin/sh\ntouch ${marker}\n`, { mode: 0o755 })
  writeFileSync(join(machine.outside, 'more'), `[remote "leak"]\n\turl = PRIVATE\n`)
  built.own('config', `[core]\n\tfsmonitor = ${script}\n\thooksPath = ${machine.outside}\n\tworktree = ${machine.outside}\n\tpager = ${script}\n[include]\n\tpath = ${machine.outside}/more\n[includeIf "gitdir:**"]\n\tpath = ${machine.outside}/more\n[filter "x"]\n\tclean = ${script}\n\tsmudge = ${script}\n\tprocess = ${script}\n[diff "y"]\n\ttextconv = ${script}\n\tcommand = ${script}\n[extensions]\n\tworktreeConfig = true\n`)
  built.own('config.worktree', `[core]\n\tfsmonitor = ${script}\n`)
  built.own('info/attributes', '* filter=x diff=y\n')
  built.own('hooks/post-index-change', `#!/bin/sh\ntouch ${marker}\n`)
  machine.put('hostile/a', 'changed\n')
  const before = machine.picture()
  for (const name of TOOLS) expect(JSON.stringify(await ask(name))).not.toContain('PRIVATE')
  expect(machine.picture()).toEqual(before)
})

it('objects, refs and files that lie elsewhere are not there', async () => {
  const elsewhere = join(machine.outside, 'repo')
  const env = { PATH: process.env['PATH'], HOME: machine.outside }
  execFileSync('git', ['init', '-q', elsewhere], { env })
  writeFileSync(join(elsewhere, 'secret'), 'PRIVATE')
  execFileSync('git', ['-C', elsewhere, 'add', '.'], { env })
  execFileSync('git', ['-C', elsewhere, '-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-q', '-m', 'PRIVATE'], { env })
  const id = execFileSync('git', ['-C', elsewhere, 'rev-parse', 'HEAD'], { env, encoding: 'utf8' }).trim()
  const plants: Readonly<Record<string, () => void>> = {
    alternates: () => {
      built.own('objects/info/alternates', `${elsewhere}/.git/objects\n../../../outside/repo/.git/objects\n`)
      built.own('refs/heads/main', `${id}\n`)
    },
    'a link for the objects': () => {
      rmSync(join(built.folder, '.git/objects'), { recursive: true })
      symlinkSync(join(elsewhere, '.git/objects'), join(built.folder, '.git/objects'))
      built.own('refs/heads/main', `${id}\n`)
    },
    'a common folder': () => built.own('commondir', `${elsewhere}/.git\n`),
    'a ref that climbs': () => built.own('HEAD', 'ref: ../../../outside/repo/.git/refs/heads/master\n'),
    'a link for the head': () => {
      rmSync(join(built.folder, '.git/HEAD'))
      symlinkSync(join(machine.outside, 'secret.txt'), join(built.folder, '.git/HEAD'))
    },
    'a link for packed refs': () => symlinkSync(join(machine.outside, 'secret.txt'), join(built.folder, '.git/packed-refs')),
    'a link for the index': () => symlinkSync(join(elsewhere, '.git/index'), join(built.folder, '.git/index')),
    'a pipe for the configuration': () => {
      rmSync(join(built.folder, '.git/config'))
      execFileSync('mkfifo', [join(built.folder, '.git/config')])
    },
    'links in the working tree': () => {
      symlinkSync(machine.outside, join(built.folder, 'way-out'))
      symlinkSync(join(machine.outside, 'secret.txt'), join(built.folder, 'secret'))
    },
  }
  for (const [what, plant] of Object.entries(plants)) {
    rmSync(built.folder, { recursive: true })
    mkdirSync(built.folder)
    built = buildRepository(built.folder)
    simple()
    plant()
    for (const name of TOOLS) {
      const outcome = await ask(name)
      expect([what, name, JSON.stringify(outcome).includes('PRIVATE'), codeOf(outcome)]).toEqual([what, name, false, expect.stringMatching(/^(?:ok|git\.unavailable|file\.unavailable)$/)])
    }
  }
})

it('names in trees and in the index that climb are read from nowhere', async () => {
  const id = blob('text\n')
  for (const name of ['..', '.', '', '../../outside/secret.txt', '/etc/passwd', '.git', '.GIT', 'a/b', 'a\0b', '.git/config']) {
    built.commit(built.tree([{ mode: '100644', name, id }]))
    for (const tool of TOOLS) expect([name, tool, JSON.stringify(await ask(tool)).includes('PRIVATE')]).toEqual([name, tool, false])
  }
  const path = '../../outside/secret.txt'
  const entry = Buffer.concat([Buffer.alloc(40), Buffer.from(id, 'hex'), Buffer.from([0, path.length]), Buffer.from(path), Buffer.alloc(8 - ((62 + path.length) % 8))])
  const body = Buffer.concat([Buffer.from('DIRC\0\0\0\x02\0\0\0\x01', 'latin1'), entry])
  const { createHash } = await import('node:crypto')
  built.own('index', Buffer.concat([body, createHash('sha1').update(body).digest()]))
  for (const tool of TOOLS) expect(JSON.stringify(await ask(tool))).not.toContain('PRIVATE')
})

it('refs that name each other for ever come to an end', async () => {
  simple()
  built.own('refs/heads/main', 'ref: refs/heads/other\n')
  built.own('refs/heads/other', 'ref: refs/heads/main\n')
  for (const tool of ['git_log', 'git_diff', 'git_status', 'git_info']) expect([tool, codeOf(await ask(tool))]).toEqual([tool, expect.stringMatching(/^(?:ok|git\.unavailable)$/)])
})

it('a hundred thousand refs are as many as fit', async () => {
  const id = simple()
  built.own('packed-refs', Array.from({ length: 100_000 }, (_, at) => `${id} refs/${at % 2 === 0 ? 'heads' : 'tags'}/r${at}`).join('\n'))
  const { local } = valueOf(await ask('git_branches')) as { local: string[] }
  const { tags } = valueOf(await ask('git_info')) as { tags: string[] }
  expect([local.length, tags.length]).toEqual([1_000, 1_000])
})

it('trees ten thousand deep, and a commit with as many parents, neither overflow nor hang', async () => {
  let tree = built.tree([{ mode: '100644', name: 'a', id: blob('text\n') }])
  for (let depth = 0; depth < 10_000; depth += 1) tree = built.tree([{ mode: '40000', name: 'd', id: tree }])
  const id = built.commit(tree)
  built.commit(tree, Array.from({ length: 10_000 }, () => id))
  for (const [name, code] of Object.entries(await codes())) expect([name, code]).toEqual([name, expect.stringMatching(/^(?:ok|git\.unavailable)$/)])
})

it.each(['a loose object', 'the last commit’s tree', 'the last commit'])('%s that becomes two gigabytes ends the reading, not the server', async (what) => {
  const bomb = await built.bomb(2_000 * MEGABYTE)
  if (what === 'a loose object') built.commit(built.tree([{ mode: '100644', name: 'a', id: bomb }]))
  else if (what === 'the last commit’s tree') built.commit(bomb)
  else built.own('refs/heads/main', `${bomb}\n`)
  machine.put('hostile/a', 'text')
  const before = process.memoryUsage.rss()
  let most = 0
  const watch = setInterval(() => void (most = Math.max(most, process.memoryUsage.rss() - before)), 50)
  const found = await codes()
  clearInterval(watch)
  console.log(`${what}: ${JSON.stringify(found)}, at most ${Math.round(most / MEGABYTE)} MB more`)
  for (const [name, code] of Object.entries(found)) expect([name, code]).toEqual([name, expect.stringMatching(/^(?:ok|git\.unavailable)$/)])
  expect(most).toBeLessThan(400 * MEGABYTE)
  expect(codeOf(await machine.call('list_files', { path: 'notes' }, 'absent'))).toBe('ok')
})

it('a pack that says it holds more than there is, and an index of it, are no repository', async () => {
  built.own('refs/heads/main', `${'a'.repeat(40)}\n`)
  // An object of 2^41 bytes by its own word (gitformat-pack(5)), in a pack that says it holds 2^31 of them.
  const pack = Buffer.concat([Buffer.from('PACK\0\0\0\x02\x7f\xff\xff\xff', 'latin1'), Buffer.from([0x9f, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f]), Buffer.alloc(100)])
  built.own('objects/pack/pack-a.pack', pack)
  const fanout = Buffer.alloc(256 * 4, 0)
  fanout.fill(0xff, 0xaa * 4)
  built.own('objects/pack/pack-a.idx', Buffer.concat([Buffer.from([0xff, 0x74, 0x4f, 0x63, 0, 0, 0, 2]), fanout, Buffer.from('a'.repeat(40), 'hex'), Buffer.alloc(44)]))
  for (const [name, code] of Object.entries(await codes())) expect([name, code]).toEqual([name, expect.stringMatching(/^(?:ok|git\.unavailable)$/)])
})

it('bytes at random in any place of the repository are never a fault', async () => {
  const files = ['HEAD', 'config', 'index', 'packed-refs', 'refs/heads/main', 'objects/info/alternates', 'shallow', 'objects/pack/pack-b.idx', 'objects/pack/pack-b.pack']
  const id = simple()
  const junk = [Buffer.alloc(0), Buffer.from([0xff, 0xfe, 0]), Buffer.alloc(5_000, 0xff), Buffer.from('['.repeat(5_000)), Buffer.from(`${id}\n`.repeat(1_000)), Buffer.from('DIRC\0\0\0\x02\xff\xff\xff\xff', 'latin1'), Buffer.from('\u202e"\\\n[a "'), Buffer.from(NONE)]
  for (const [at, file] of files.entries()) {
    for (const bytes of junk) {
      simple()
      built.own(file, bytes)
      const tool = TOOLS[(at + bytes.length) % TOOLS.length] ?? 'git_log'
      expect([file, tool, codeOf(await ask(tool))]).toEqual([file, tool, expect.stringMatching(/^(?:ok|git\.unavailable|input\.invalid)$/)])
    }
    rmSync(join(built.folder, '.git', file), { force: true })
    built.own('HEAD', 'ref: refs/heads/main\n')
  }
})

it('starts no process for any of it', async () => {
  simple()
  const seen = new Set<string>()
  const before = children()
  const watch = setInterval(() => void seen.add(children()), 20)
  await codes()
  clearInterval(watch)
  seen.delete(before)
  expect([...seen]).toEqual([])
  expect(readdirSync(machine.outside)).toEqual(['secret.txt'])
})
