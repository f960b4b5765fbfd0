import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { codeOf, openMachine, valueOf } from '../files/machine.fixture.ts'
import type { Machine } from '../files/machine.fixture.ts'

let machine: Machine
let tree: string
const git = (...args: readonly string[]): string =>
  execFileSync('git', ['-C', tree, '-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', '-c', 'commit.gpgsign=false', ...args], { encoding: 'utf8', env: { PATH: process.env['PATH'], HOME: machine.outside } })
const ask = async (name: string, args: object = {}) => valueOf(await machine.call(name, { path: 'project', ...args }, 'absent'))

/** The repository with its first commit, made once and copied. */
let template: string
beforeAll(async () => {
  template = mkdtempSync(join(tmpdir(), 'arrowhead-git-'))
  machine = openMachine()
  tree = join(machine.home, 'project')
  git('init', '-q', '-b', 'main', '--template=')
  git('add', '-f', '.')
  git('commit', '-q', '-m', 'first')
  cpSync(join(tree, '.git'), template, { recursive: true })
  await machine.close()
})
afterAll(() => rmSync(template, { recursive: true, force: true }))
beforeEach(() => {
  machine = openMachine()
  tree = join(machine.home, 'project')
  cpSync(template, join(tree, '.git'), { recursive: true })
})
afterEach(() => machine.close())

describe('a repository', () => {
  it('tells what changed, as git does', async () => {
    machine.put('project/src/main.ts', 'const greeting = "bye"\n')
    machine.put('project/new.ts', 'new')
    machine.put('project/staged.ts', 'staged')
    git('add', 'staged.ts')
    const { branch, changes } = await ask('git_status') as { branch: string; changes: { path: string; state: string }[] }
    expect([branch, changes]).toEqual(['main', [{ path: 'new.ts', state: 'untracked' }, { path: 'src/main.ts', state: 'modified' }, { path: 'staged.ts', state: 'added' }]])
  })

  it('tells its commits, branches, tags and remotes, without the passwords in them', async () => {
    git('commit', '-q', '--allow-empty', '-m', 'second')
    git('branch', 'other')
    git('tag', 'v1')
    git('remote', 'add', 'origin', 'https://ada:PRIVATE@example.com/x.git')
    expect(await ask('git_log')).toMatchObject({ commits: [{ subject: 'second', author: 'Ada', id: git('rev-parse', 'HEAD').trim() }, { subject: 'first' }] })
    expect(await ask('git_log', { ref: 'HEAD~1' })).toMatchObject({ commits: [{ subject: 'first' }] })
    expect(await ask('git_branches')).toMatchObject({ current: 'main', local: ['main', 'other'] })
    const info = await ask('git_info')
    expect(info).toMatchObject({ root: tree, branch: 'main', tags: ['v1'], remotes: [{ name: 'origin', url: 'https://example.com/x.git' }] })
  })

  it('tells a difference, from a folder below too, and none of what the path policy hides', async () => {
    machine.put('project/src/main.ts', 'const greeting = "bye"\n')
    machine.put('project/.env', 'TOKEN=OTHER')
    const { files } = valueOf(await machine.call('git_diff', { path: 'project/src' }, 'absent')) as { files: { path: string; diff: string }[] }
    expect(files.map(({ path }) => path)).toEqual(['src/main.ts'])
    expect(files[0]?.diff).toContain('-const greeting = "hello"\n+const greeting = "bye"')
    git('add', '-f', '.')
    git('commit', '-q', '-m', 'second')
    expect(JSON.stringify(await ask('git_diff', { from: 'HEAD~1', to: 'HEAD' }))).not.toContain('OTHER')
  })

  it('is none where there is none, and none outside', async () => {
    expect(codeOf(await machine.call('git_status', { path: 'notes' }, 'absent'))).toBe('git.unavailable')
    expect(codeOf(await machine.call('git_status', { path: '../outside' }, 'absent'))).toBe('path.outside')
    expect(codeOf(await machine.call('git_log', { path: 'project', ref: '../../../etc/passwd' }, 'absent'))).toBe('git.unavailable')
    machine.link('project2', 'project')
    expect(codeOf(await machine.call('git_status', { path: 'project2' }, 'absent'))).toBe('ok')
  })
})

/** Each way by which git would start a program that the repository names; all of them stand in one. */
const PLANTS: Readonly<Record<string, (marker: string) => void>> = {
  'a file monitor': (marker) => git('config', 'core.fsmonitor', marker),
  'a clean filter': (marker) => {
    git('config', 'filter.x.clean', marker)
    writeFileSync(join(tree, '.gitattributes'), '* filter=x diff=y\n')
  },
  'a text conversion': (marker) => git('config', 'diff.y.textconv', marker),
  'a pager, an editor, hooks and an outside diff': (marker) => {
    for (const key of ['core.pager', 'core.editor', 'core.sshCommand', 'diff.external', 'core.hooksPath']) git('config', key, marker)
  },
  'a nested repository': (marker) => {
    const inner = join(tree, 'inner')
    mkdirSync(inner)
    execFileSync('git', ['-C', inner, 'init', '-q'], { env: { PATH: process.env['PATH'] } })
    execFileSync('git', ['-C', inner, 'config', 'core.fsmonitor', marker], { env: { PATH: process.env['PATH'] } })
    writeFileSync(join(inner, 'x'), 'x')
  },
}

it('a repository starts nothing that it names, whatever is asked', async () => {
  const markers = Object.entries(PLANTS).map(([what, plant], index) => {
    const [marker, script] = [join(machine.outside, `started-${index}`), join(machine.outside, `script-${index}`)]
    writeFileSync(script, `#!/bin/sh\ntouch ${marker}\ncat\n`)
    chmodSync(script, 0o755)
    return { what, marker, plant: () => plant(script) }
  })
  // To configure one is to start git, so what git itself started before anything was asked is forgotten.
  for (const { plant } of markers) plant()
  for (const { marker } of markers) rmSync(marker, { force: true })
  machine.put('project/src/main.ts', 'changed\n')
  for (const name of ['git_status', 'git_log', 'git_diff', 'git_branches', 'git_info']) expect([name, codeOf(await machine.call(name, { path: 'project' }, 'absent'))]).toEqual([name, 'ok'])
  for (const name of ['list_files', 'find_files']) await machine.call(name, { path: 'project', ...(name === 'find_files' && { pattern: '*' }) }, 'absent')
  expect(markers.filter(({ marker }) => existsSync(marker)).map(({ what }) => what)).toEqual([])
})

it('the file monitor that was planted would have started (so the test can fail)', () => {
  const [marker, script] = [join(machine.outside, 'started'), join(machine.outside, 'script')]
  writeFileSync(script, `#!/bin/sh\ntouch ${marker}\n`)
  chmodSync(script, 0o755)
  git('config', 'core.fsmonitor', script)
  git('status')
  expect(existsSync(marker)).toBe(true)
})

it('reads no repository that lies elsewhere, and none that a link or a file names', async () => {
  const elsewhere = join(machine.outside, 'repo')
  execFileSync('git', ['init', '-q', elsewhere], { env: { PATH: process.env['PATH'] } })
  mkdirSync(join(machine.home, 'pointing'))
  writeFileSync(join(machine.home, 'pointing/.git'), `gitdir: ${elsewhere}/.git\n`)
  mkdirSync(join(machine.home, 'linked'))
  machine.link('linked/.git', join(elsewhere, '.git'))
  for (const path of ['pointing', 'linked']) expect([path, codeOf(await machine.call('git_info', { path }, 'absent'))]).toEqual([path, expect.stringMatching(/^(?:git|file)\.unavailable$/)])
})
