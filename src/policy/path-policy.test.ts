import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DENIED, DENIED_NAMES, EXCEPTED, passedOver, WRITE_PROTECTED } from './default-path-rules.ts'
import { compilePathPolicy } from './path-policy.ts'
import type { PathPolicy, PathRules, PathUse } from './path-policy.ts'

function policyOf(rules: PathRules): PathPolicy {
  const compiled = compilePathPolicy(rules)
  if (!compiled.ok) throw new Error(compiled.problems.join('\n'))
  return compiled.policy
}
const names = (path: string): readonly string[] => path.split('/').filter(Boolean)
const listOf = (policy: PathPolicy, path: string, use: PathUse = 'read', above = ''): string => policy.judge(names(path), use, names(above))?.list ?? 'allowed'
const byDefault = policyOf({ deny: DENIED, denyNames: DENIED_NAMES, except: EXCEPTED, denyWrite: WRITE_PROTECTED })
const withOwn = policyOf({ deny: [...DENIED, '**/Diary/**'], denyNames: [...DENIED_NAMES, 'private*'], except: EXCEPTED })

/** Other spellings that some file system takes for the same name. */
const disguise = fc.constantFrom<(name: string) => string>(
  (name) => name, (name) => name.toUpperCase(), (name) => name.replace(/[a-z]/, (letter) => letter.toUpperCase()), (name) => name.normalize('NFD'),
  (name) => `${name}.`, (name) => `${name} `, (name) => `${name}. .`, (name) => `${name}::$DATA`, (name) => `${name}:stream`, (name) => name.replace(/[a-z]/, (letter) => String.fromCodePoint(letter.charCodeAt(0) + 0xfee0)),
  (name) => `${name[0]}\u200b${name.slice(1)}`, (name) => `${name}\u00ad`, (name) => name.replace('s', 'ſ'), (name) => name.replace('k', '\u212a'),
)
const secret = fc.constantFrom('.ssh/id_ed25519', '.ssh/known_hosts', '.gnupg/x', '.aws/credentials', '.password-store/a/b', '.kube/config', '.env', 'a/.env.local', '.netrc', '.git-credentials', '.docker/config.json', 'keys/server_rsa', 'etc/shadow', 'diary/a', 'a/diary', 'a/privates/b')
const kept = fc.constantFrom('.bashrc', '.zshenv', '.profile', '.config/fish/config.fish', '.config/autostart/a.desktop', '.vimrc', '.vim/plugin/a.vim', '.git/hooks/pre-commit', 'a/.git/index', '.gitconfig', '.npmrc', '.vscode/tasks.json', '.mcp.json', '.local/bin/ls', '.pdbrc', '.sqliterc', '.jq')
const folders = fc.array(fc.stringMatching(/^[a-z]{1,6}$/), { maxLength: 3 })

describe('a denial', () => {
  it('holds for every spelling of a name, at any depth, for reading and for writing', () => {
    fc.assert(fc.property(folders, secret, disguise, fc.constantFrom<PathUse>('read', 'write'), (above, path, change, use) => withOwn.judge([...above, ...names(path).map(change)], use) !== undefined))
  })

  it('holds below a folder that is allowed by name', () => {
    expect(listOf(byDefault, 'id', 'read', '/home/me/.ssh')).toBe('denyNames')
    expect(listOf(policyOf({ deny: ['**/private/**'] }), 'a', 'read', '/home/me/private')).toBe('deny')
  })

  it('beats what is allowed, and an exception lifts it for exactly that name', () => {
    const policy = policyOf({ allow: ['**'], deny: ['**/*.txt'], except: ['**/Open.txt'] })
    expect(['a.txt', 'Open.txt', 'open.txt', 'OPEN.TXT', 'Open.txt.'].map((path) => listOf(policy, path))).toEqual(['deny', 'allowed', 'deny', 'deny', 'deny'])
  })

  it('holds for names that hold what a fold would take away', () => {
    for (const [pattern, path] of [['**/a:b', 'x/a:b'], ['**/end.[ ]', 'end. '], ['**/Straße', 'STRASSE'], ['**/STRASSE', 'straße'], ['**/ΟΔΟΣ*', 'οδοσα'], ['**/οδος', 'ΟΔΟΣ'], ['**/?', 'ß'], ['**/ﬁ', 'FI'], ['**/a\u200bb', 'a\u200bb']]) expect([pattern, path, listOf(policyOf({ deny: [pattern] }), path as string)]).toEqual([pattern, path, 'deny'])
  })

  it('does not hold for names that are only alike', () => {
    for (const path of ['environment', 'env', 'a.env.md', 'ssh/x', 'shadows.md', 'awsome', '.env.example', 'notes/.sshx', 'rsa.md']) expect([path, listOf(byDefault, path)]).toEqual([path, 'allowed'])
  })
})

describe('write protection', () => {
  it('holds for every spelling, at any depth, and leaves reading alone', () => {
    fc.assert(fc.property(folders, kept, disguise, (above, path, change) => byDefault.judge([...above, ...names(path).map(change)], 'write') !== undefined))
    expect(['.bashrc', '.vimrc', '.git/hooks/pre-commit', '.vscode/tasks.json'].map((path) => listOf(byDefault, path))).toEqual(['allowed', 'allowed', 'allowed', 'allowed'])
    expect(listOf(byDefault, '.git/config')).toBe('credentials')
  })

  it('leaves the files of a project alone', () => {
    for (const path of ['src/main.ts', 'README.md', 'bin/run.sh', 'git/config', 'profile', 'package.json', '.github/workflows/ci.yml', '.editorconfig', '.gitignore']) expect([path, listOf(byDefault, path, 'write')]).toEqual([path, 'allowed'])
  })
})

describe('what is allowed', () => {
  it('is none at all where a list is written as nothing', () => {
    for (const list of ['allow', 'deny', 'except', 'denyWrite', 'denyNames']) expect(compilePathPolicy({ [list]: null })).toEqual({ ok: false, problems: [`${list}: must be a list of patterns`] })
  })

  it('is everything where no list was given, and nothing where an empty one was', () => {
    expect([listOf(policyOf({}), 'a/b'), listOf(policyOf({ allow: [] }), 'a/b'), listOf(policyOf({ allow: [] }), '')]).toEqual(['allowed', 'allow', 'allowed'])
  })

  it('is exactly what is written, and the way to it may be passed, not written', () => {
    const policy = policyOf({ allow: ['docs/pub/**'] })
    expect(['docs/pub/a', 'docs/pub', 'docs', 'Docs/pub/a', 'docs/public', 'docs/x', 'x'].map((path) => listOf(policy, path))).toEqual(['allowed', 'allowed', 'allowed', 'allow', 'allow', 'allow', 'allow'])
    expect([listOf(policy, 'docs', 'write'), listOf(policy, 'docs/pub/a', 'write')]).toEqual(['allow', 'allowed'])
  })
})

describe('rules that cannot be held to', () => {
  it('make no policy at all, and each is named', () => {
    const compiled = compilePathPolicy({ allow: 'docs', deny: ['', 'a/../b', 'a//b', '[a', '[]', '[z-a]', 'a\0', 'a\\b', 3, 'x'.repeat(1_001)], denyWrite: [null] })
    expect(compiled.ok ? [] : compiled.problems.map((problem) => problem.split(' ').slice(0, 3).join(' '))).toEqual(['allow: must be', ...Array.from({ length: 10 }, (_, at) => `deny: pattern ${at + 1}`), 'denyWrite: pattern 1'])
  })

  it('are never taken for others, whatever they hold, nor is a path ever a fault', () => {
    fc.assert(fc.property(fc.anything(), fc.array(fc.string({ unit: 'binary' })), (deny, path) => {
      const compiled = compilePathPolicy({ deny })
      if (compiled.ok) compiled.policy.judge(path, 'write')
    }))
  })

  it('are tried in a time that grows with their length alone', () => {
    const policy = policyOf({ deny: [`**/${'*a'.repeat(200)}b`, '**/x/'.repeat(150) + 'y'] })
    expect(listOf(policy, `${'x/'.repeat(500)}${'a'.repeat(2_000)}`)).toBe('allowed')
  })
})

it('a program that walks folders is told of every name that is hidden at any depth', () => {
  expect(passedOver(['.ssh'], ['**/.kube/**', '**/keys/', '**/.config/gcloud/**', '**/*_rsa', 'top/**', '**/a/**/b'])).toEqual(['.ssh', '.kube', 'keys', '.config/gcloud', '*_rsa'])
})
