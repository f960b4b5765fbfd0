import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openJail } from '../exits/disk/jail.ts'
import type { Jail } from '../exits/disk/jail.ts'
import { CONFINED_TOOLS, MODES, inherit, mutates, parseRules } from '../policy/workspace-rules.ts'
import type { Mode } from '../policy/workspace-rules.ts'
import { createConfinement, deniedBy } from './confinement.ts'
import type { Confinement } from './confinement.ts'
import { findGround } from './workspace-ground.ts'

let [base, cwd] = ['', '']
let jail: Jail
beforeEach(async () => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'arrowhead-confined-')))
  cwd = join(base, 'repo')
  for (const path of ['repo/src/a.ts', 'repo/docs/a.ts', 'repo/.env', 'repo/.git/hooks/x', 'repo/.git/HEAD', 'repo/.arrowhead/config.json', 'repo/data/sessions.sqlite', 'outside/secret.ts', 'outside/src/a.ts']) {
    mkdirSync(dirname(join(base, path)), { recursive: true })
    writeFileSync(join(base, path), 'x')
  }
  for (const [path, target] of [['out', '../outside'], ['env-link.ts', '.env'], ['gitdir', '.git'], ['own', '.arrowhead'], ['aside', 'src'], ['src/same/a.ts', '../../docs/a.ts'], ['nowhere', '../outside/new.ts'], ['chain', 'out'], ['a.ts', 'src/a.ts']] as const) {
    mkdirSync(dirname(join(cwd, path)), { recursive: true })
    symlinkSync(target, join(cwd, path))
  }
  execFileSync('mkfifo', [join(cwd, 'pipe')])
  jail = await openJail(cwd)
})
afterEach(() => {
  jail.close()
  rmSync(base, { recursive: true, force: true })
})

function walls(mode: Mode, permissions: readonly object[] = []): Confinement {
  const { ground } = findGround(cwd, [join(cwd, 'data')])
  const parsed = parseRules(permissions)
  return createConfinement({ mode, ground, jail, rules: inherit(parsed.ok ? parsed.rules : [], ground) })
}

const HIDDEN: readonly (readonly [path: string, why: string])[] = [
  ['/etc/passwd', 'outside'], ['..', 'outside'], ['src/../../outside/secret.ts', 'outside'], ['out', 'outside'], ['out/secret.ts', 'outside'], ['out/src/a.ts', 'outside'], ['chain/secret.ts', 'outside'], ['nowhere', 'outside'],
  ['out/new.ts', 'outside'], ['.env', 'credential'], ['new/.env', 'credential'], ['.arrowhead/config.json', 'own'], ['own/config.json', 'own'], ['new/.arrowhead/x', 'own'], ['data/sessions.sqlite', 'own'],
]

describe.each(MODES)('mode %s', (mode) => {
  it('hides the same places from every tool, by whatever name', async () => {
    for (const tool of CONFINED_TOOLS) for (const [path, why] of HIDDEN) expect([tool, path, await walls(mode).denies(tool, path)]).toEqual([tool, path, mutates(tool) && mode !== 'acceptEdits' ? expect.any(String) : why])
    for (const tool of CONFINED_TOOLS) expect([tool, await walls(mode).denies(tool, 'env-link.ts')]).toEqual([tool, mutates(tool) && mode === 'plan' ? 'mode' : expect.stringMatching(/^(?:outside|credential|unmatched)$/)])
  })

  it('reads inside, and writes as far as the mode goes', async () => {
    const writes = { plan: 'mode', default: 'unmatched', acceptEdits: undefined }[mode]
    for (const tool of CONFINED_TOOLS) for (const path of ['src/a.ts', 'src', '.', 'aside/a.ts', 'new/deep/a.ts', join(cwd, 'src/a.ts')]) expect([tool, path, await walls(mode).denies(tool, path)]).toEqual([tool, path, mutates(tool) ? writes : undefined])
  })

  it('writes nothing that another program acts upon, through a link neither', async () => {
    for (const path of ['.git/hooks/x', '.git/HEAD', 'gitdir/hooks/x', 'gitdir/new', '.claude/settings.json', 'AGENTS.md']) {
      expect([path, await walls(mode).denies('write', path)]).toEqual([path, expect.stringMatching(/^(?:guarded|mode|unmatched)$/)])
      expect([path, await walls('acceptEdits').denies('write', path)]).toEqual([path, 'guarded'])
    }
  })
})

it('a write never goes through a link in the last place, whatever that is named', async () => {
  for (const path of ['a.ts', 'src/same/a.ts', 'aside', 'nowhere', 'pipe']) expect([path, await walls('acceptEdits').denies('write', path)]).toEqual([path, 'outside'])
})

it('a folder that git takes for a repository is closed to writes, and its config to everybody', async () => {
  for (const path of ['bare/HEAD', 'bare/objects/x', 'bare/refs/x', 'bare/config', 'bare/notes.md', 'plain/config']) {
    mkdirSync(dirname(join(cwd, path)), { recursive: true })
    writeFileSync(join(cwd, path), 'x')
  }
  symlinkSync('bare', join(cwd, 'aka'))
  for (const path of ['bare/config', 'bare/hooks/post-update', 'bare/deep/new/x', 'aka/x']) expect([path, await walls('acceptEdits').denies('write', path)]).toEqual([path, 'guarded'])
  for (const path of ['bare/config', 'aka/config', 'bare/CONFIG']) expect([path, await walls('plan').denies('read', path)]).toEqual([path, 'credential'])
  for (const path of ['bare/notes.md', 'plain/config']) expect([path, await walls('plan').denies('read', path)]).toEqual([path, undefined])
  expect(await walls('acceptEdits').denies('write', 'plain/config')).toBeUndefined()
})

it('a rule holds for the place behind a link', async () => {
  const confined = walls('acceptEdits', [{ tool: 'read', action: 'deny', path: 'src/**' }])
  expect(await confined.denies('read', 'aside/a.ts')).toBe('rule')
  expect(await confined.denies('read', 'a.ts')).toBe('rule')
  expect(await confined.denies('read', 'docs/a.ts')).toBeUndefined()
})

it('a call without a path is told which one would do', async () => {
  const denied = await walls('plan').denies('ls', undefined)
  expect(denied && deniedBy(denied)).toMatchObject({ code: 'path.invalid', hint: expect.stringContaining('"."') })
})

it.each(['../outside/**', '/etc/*', '**/../*', '~/x', 'C:\\x', 'a\\..\\b', '{../outside,src}/**', '..', 'a\0', '{a,..}/b'])('a pattern that climbs is none: %j', (pattern) => {
  expect(walls('plan').staysBelow(pattern)).toBe(false)
})

it.each(['**/*.ts', 'src/*', '*', '.github/**', 'a..b/*', '...'])('a plain pattern stays below: %s', (pattern) => {
  expect(walls('plan').staysBelow(pattern)).toBe(true)
})

it('of files that a pattern reached, those behind a wall are dropped', async () => {
  expect(await walls('plan').shown('grep', ['src/a.ts', '.env', 'out/secret.ts', 'env-link.ts', 'aside/a.ts', 'own/config.json'])).toEqual(['src/a.ts', 'aside/a.ts'])
})
