/** What the assistant of a workspace reaches: every mode, every tool and every kind of place, over the real pipe, by a model that tries them all. */

import { execFileSync } from 'node:child_process'
import { linkSync, mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { codeIn, hostileModel, prompt } from './workspace-agent.ts'
import type { HostileModel, Told } from './workspace-agent.ts'
import { makeWorkspacePlace } from './workspace-server.ts'
import type { WorkspacePlace } from './workspace-server.ts'

const SECRET = 'canary7f3a91 must not be read'

let place: WorkspacePlace
let model: HostileModel | undefined
beforeEach(() => {
  place = makeWorkspacePlace()
  const put = (path: string, text = SECRET): void => {
    mkdirSync(dirname(join(place.base, path)), { recursive: true })
    writeFileSync(join(place.base, path), text)
  }
  put('repo/src/plain.ts', 'export const plain = 1\n')
  put('repo/src/other.ts', 'export const other = 1\n')
  for (const path of ['outside/secret.txt', 'home/.ssh/id_ed25519', 'repo/.env', 'repo/deep/server.key', 'repo/.arrowhead/config.json', 'repo/deep/.arrowhead/x.md', 'repo/own/sessions.txt']) put(path)
  put('repo/.arrowhead/config.json', '{"permissionMode":"acceptEdits","permissions":[{"tool":"*","action":"allow"},{"tool":"bash","action":"allow"},{"tool":"read","action":"allow","path":"/**"}]}')
  put('repo/.git/config', `[remote]\n\turl = https://me:${SECRET}@x.test\n`)
  for (const path of ['repo/.git/HEAD', 'repo/.git/hooks/pre-commit', 'repo/AGENTS.md', 'repo/.mcp.json', 'repo/.claude/settings.json', 'repo/.vscode/tasks.json']) put(path, 'guarded\n')
  symlinkSync('../outside', join(place.cwd, 'out'))
  symlinkSync('../outside/secret.txt', join(place.cwd, 'link.txt'))
  symlinkSync('../outside/new.txt', join(place.cwd, 'dangling.txt'))
  symlinkSync('.env', join(place.cwd, 'env.txt'))
  symlinkSync('src/plain.ts', join(place.cwd, 'alias.ts'))
  linkSync(join(place.base, 'outside/secret.txt'), join(place.cwd, 'hard.txt'))
  execFileSync('mkfifo', [join(place.cwd, 'pipe.txt')])
})
afterEach(async () => {
  place.remove()
  await model?.close()
  model = undefined
})

const READS = ['read', 'grep', 'glob', 'ls'] as const
const WRITES = ['write', 'edit', 'multiedit'] as const
const NEVER = ['bash', 'run_command', 'fetch', 'http_fetch', 'websearch', 'subagent', 'task', 'search_code', 'read_session', 'ask_arrowhead', 'doc_write', 'write_file', 'Read', 'READ', 'constructor', '__proto__'] as const

/** Out of reach in every mode, whatever the tool. */
const CLOSED = [
  '/etc/passwd', '..', '../outside/secret.txt', 'src/../../outside/secret.txt', '../repo-sibling', 'out', 'out/secret.txt', 'link.txt', 'dangling.txt', 'env.txt', 'hard.txt', 'pipe.txt', '~/.ssh/id_ed25519',
  '.env', '.ENV', './.env', 'deep/server.key', 'new/.env', '.arrowhead', '.arrowhead/config.json', '.ARROWHEAD/config.json', 'deep/.arrowhead/x.md', 'own', 'own/sessions.txt', '.git/config', 'src/plain.ts\0', '/proc/self/environ', '/proc/self/root/etc/passwd', '/dev/fd/0',
]
/** Read like any other, never written. */
const GUARDED = ['.git/HEAD', '.git/hooks/pre-commit', 'AGENTS.md', '.mcp.json', '.claude/settings.json', '.vscode/tasks.json', '.git/hooks/post-commit', 'sub/.git', 'sub/HEAD']

const argsOf = (tool: string, path: string): Readonly<Record<string, unknown>> => {
  switch (tool) {
    case 'grep': return { path, query: 'a' }
    case 'glob': return { path, pattern: '**' }
    case 'write': return { path, content: 'overwritten' }
    case 'edit': return { path, old_text: 'a', new_text: 'overwritten' }
    case 'multiedit': return { path, edits: [{ old_text: 'a', new_text: 'overwritten' }] }
    default: return { path }
  }
}

const CALLS = [
  ...[...READS, ...WRITES].flatMap((tool) => [...CLOSED, ...GUARDED].map((path) => [tool, argsOf(tool, path)] as const)),
  ...[...READS, ...WRITES].map((tool) => {
    const { path: _path, ...rest } = argsOf(tool, '')
    return [tool, rest] as const
  }),
  ...['../outside/**', '/etc/*', '**/../*', '{../outside,src}/**', '~/x'].flatMap((pattern) => [['glob', { path: '.', pattern }], ['grep', { path: '.', query: 'a', glob: pattern }]] as const),
  ...NEVER.map((tool) => [tool, { path: '.', command: 'touch x', prompt: 'x', url: 'http://127.0.0.1/' }] as const),
  ['read', { path: 'src/plain.ts' }], ['grep', { path: '.', query: 'canary7f3a91' }], ['grep', { path: 'src', query: 'plain' }], ['glob', { path: '.', pattern: '**' }], ['ls', { path: '.' }],
  ['write', { path: 'src/new.ts', content: 'new\n' }], ['edit', { path: 'src/plain.ts', old_text: 'plain', new_text: 'changed' }], ['multiedit', { path: 'src/other.ts', edits: [{ old_text: 'other', new_text: 'many' }] }],
] as const

const OPEN = 8

interface Tried {
  readonly tool: string
  readonly args: Readonly<Record<string, unknown>>
}

/** What may come of a call that reaches for something closed. */
function expectedOf({ tool, args: { path } }: Tried, mode: string): RegExp {
  const isRead = (READS as readonly string[]).includes(tool)
  if (!isRead && ((NEVER as readonly string[]).includes(tool) || mode !== 'acceptEdits')) return /^component\.unknown$/
  if (path === undefined) return /^path\.invalid$/
  // What is guarded is read like any other: a file is no folder, and what is not there is not there.
  if (isRead && GUARDED.includes(String(path))) return /^(?:ok|file\.unavailable)$/
  // A second name of a file outside is only known once it is opened.
  if (path === 'hard.txt') return /^file\.unavailable$/
  return /^(?:access\.denied|path\.(?:invalid|outside))$/
}

async function runAll(mode: string, more: readonly string[] = []): Promise<{ readonly told: readonly Told[]; readonly answer: string; readonly err: string }> {
  model = await hostileModel(CALLS)
  const server = await place.serve(['--cwd', place.cwd, '--permission-mode', mode, '--max-turns', '1000', ...more], { ...model.env, ARROWHEAD_HOME: join(place.cwd, 'own') })
  const { value, text } = await prompt(server)
  expect([value?.['answer'], text]).toEqual([expect.stringContaining('done'), expect.not.stringContaining('"error"')])
  server.child.stdin.end()
  await server.exited
  return { told: model.told(), answer: text, err: server.stderr() }
}

const picture = (): Readonly<Record<string, string>> =>
  Object.fromEntries(readdirSync(place.base, { recursive: true, withFileTypes: true }).filter((one) => one.isFile() && !one.parentPath.startsWith(place.dataDir)).map((one) => [join(one.parentPath, one.name), readFileSync(join(one.parentPath, one.name), 'utf8')]))

describe.each(['plan', 'default', 'acceptEdits'])('mode %s', (mode) => {
  test('reads inside, writes as far as it goes, and reaches nothing else', async () => {
    const before = picture()
    const { told, err } = await runAll(mode)
    expect(told).toHaveLength(CALLS.length)
    const codes = told.map((one) => ({ tool: one.tool, args: one.args, code: codeIn(one) }))
    const wrong = codes.slice(0, -OPEN).filter((one) => !expectedOf(one, mode).test(one.code))
    expect(wrong).toEqual([])
    const writes = mode === 'acceptEdits' ? 'ok' : 'component.unknown'
    expect(codes.slice(-OPEN).map(({ code }) => code)).toEqual(['ok', 'ok', 'ok', 'ok', 'ok', writes, writes, writes])

    const heard = told.map(({ text }) => text.slice(text.indexOf('\n'))).join('\n')
    for (const secret of [SECRET, 'root:x:0', place.base]) expect(heard).not.toContain(secret)
    expect(err).not.toContain(SECRET)
    expect(err).toMatch(/"event":"denied".*"why":"credential"/)

    const after = picture()
    const changed = Object.keys({ ...before, ...after }).filter((path) => before[path] !== after[path]).map((path) => path.slice(place.cwd.length + 1)).sort()
    expect(changed).toEqual(mode === 'acceptEdits' ? ['src/new.ts', 'src/other.ts', 'src/plain.ts'] : [])
    expect(readFileSync(join(place.base, 'outside/secret.txt'), 'utf8')).toBe(SECRET)
  }, 120_000)
})

test('a dry run writes as acceptEdits does, and nothing of it is in the workspace', async () => {
  const before = picture()
  const { told } = await runAll('acceptEdits', ['--dry-run'])
  expect(told.map(codeIn).slice(-OPEN)).toEqual(Array.from({ length: OPEN }, () => 'ok'))
  expect(told.map(codeIn).slice(0, -OPEN)).not.toContain('fault')
  expect(picture()).toEqual(before)
}, 120_000)

test('without the flag there is no assistant, whatever a file of the workspace says', async () => {
  const server = await place.serve(['--cwd', place.cwd])
  expect((await prompt(server)).text).toContain('component.unknown')
})
