/** `arrowhead client`: what is in the file after each command, and that a file is left alone where it cannot be changed. */

import { chmodSync, existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { CLIENTS } from '../../app/client-setup.ts'
import { main } from './main.ts'

let home: string
beforeEach(() => void (home = mkdtempSync(join(tmpdir(), 'arrowhead-client-'))))
afterEach(() => rmSync(home, { recursive: true, force: true }))

async function client(...args: readonly string[]): Promise<{ readonly code: number; readonly out: string; readonly err: string }> {
  const text = { out: '', err: '' }
  const stream = (name: 'out' | 'err'): PassThrough => new PassThrough().setEncoding('utf8').on('data', (chunk: string) => void (text[name] += chunk))
  const code = await main(['client', ...args], {
    stdin: new PassThrough().end(), stdout: stream('out'), stderr: stream('err'), env: { ARROWHEAD_DATA_DIR: join(home, 'data') }, cwd: home, home,
    platform: 'linux', stop: new AbortController().signal, parent: () => 1, self: ['/opt/node', '/opt/arrowhead.js'],
  })
  await new Promise((resolve) => setImmediate(resolve))
  return { code, ...text }
}

const fileOf = (name: string): string => CLIENTS.find((one) => one.name === name)?.file({ platform: 'linux', home, env: {} }) ?? ''
const put = (name: string, text: string): string => {
  const file = fileOf(name)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  return file
}
const NAMES = CLIENTS.map(({ name }) => name)
const STARTS: Readonly<Record<string, string>> = { codex: '# mine\nmodel = "x"\n\n[mcp_servers.b]\ncommand = "x"\n' }
const startOf = (name: string): string => STARTS[name] ?? '{\r\n    "theme": "dark",\r\n    "x": [1,2]\r\n}'

describe.each(NAMES)('%s', (name) => {
  test('has the entry after add, and the file of before, byte for byte, after --undo', async () => {
    const file = put(name, startOf(name))
    chmodSync(file, 0o640)
    const added = await client('add', name, '--workspace', 'project')
    expect(added).toMatchObject({ code: 0, err: '' })
    expect(added.out).toMatch(/^\+.*mcp-serve/m)
    expect(readFileSync(file, 'utf8')).toContain(join(home, 'project'))
    expect(statSync(file).mode & 0o777).toBe(0o640)
    expect(JSON.parse((await client('list', '--json')).out)).toContainEqual({ client: name, file, state: 'added' })
    expect(await client('add', name, '--undo')).toMatchObject({ code: 0, err: '' })
    expect(readFileSync(file, 'utf8')).toBe(startOf(name))
    expect(readdirSync(dirname(file)).filter((one) => one.includes('arrowhead'))).toEqual([])
  })

  test('is set up in a file of its own with --create, which --undo takes away with its folder', async () => {
    expect(await client('add', name)).toMatchObject({ code: 1, err: expect.stringContaining('--create') })
    expect(existsSync(fileOf(name))).toBe(false)
    expect((await client('add', name, '--create')).code).toBe(0)
    expect(existsSync(fileOf(name))).toBe(true)
    expect((await client('remove', name, '--undo')).code).toBe(0)
    expect(readdirSync(home).filter((one) => one !== 'data')).toEqual([])
  })

  test('keeps its file where add is only tried or printed', async () => {
    const file = put(name, startOf(name))
    expect((await client('add', name, '--dry-run')).out).toMatch(/^\+/m)
    expect((await client('add', name, '--print')).out).toContain('/opt/arrowhead.js')
    expect(readFileSync(file, 'utf8')).toBe(startOf(name))
  })
})

describe('a file that is', () => {
  const left = async (file: string, why: RegExp): Promise<void> => {
    const bytes = existsSync(file) && lstatSync(file).isFile() ? readFileSync(file).subarray(0, 4096) : undefined
    for (const args of [['add', 'cursor'], ['remove', 'cursor']]) {
      const { code, out, err } = await client(...args)
      expect({ code, out }).toEqual({ code: 1, out: '' })
      expect(err).toContain(`arrowhead: ${file} is left as it was: `)
      expect(err).toMatch(why)
    }
    expect(JSON.parse((await client('add', 'cursor', '--json')).out)).toMatchObject({ changed: false, error: expect.stringMatching(why) })
    if (bytes) expect(readFileSync(file).subarray(0, 4096).equals(bytes)).toBe(true)
    expect(readdirSync(home).includes('data')).toBe(false)
  }

  test('missing, is not made without --create', async () => {
    await left(fileOf('cursor'), /not there/)
    expect(existsSync(dirname(fileOf('cursor')))).toBe(false)
  })
  test('broken, stays broken', () => left(put('cursor', '{"mcpServers": {"arrowhead": {}'), /not valid JSON.*line 1/))
  test('read-only, stays as it is', async () => {
    const file = put('cursor', '{"mcpServers": {"arrowhead": {}}}')
    chmodSync(file, 0o444)
    await left(file, /read-only/)
  })
  test('a link, is not followed', async () => {
    const file = put('cursor', '')
    rmSync(file)
    writeFileSync(join(home, 'real.json'), '{"mcpServers": {"arrowhead": {}}}')
    symlinkSync('../real.json', file)
    await left(file, /a link to "..\/real.json"/)
    expect(readFileSync(join(home, 'real.json'), 'utf8')).toBe('{"mcpServers": {"arrowhead": {}}}')
  })
  test('a folder, is no file', async () => {
    mkdirSync(fileOf('cursor'), { recursive: true })
    await left(fileOf('cursor'), /no regular file/)
  })
  test('larger than 16 MiB, is not read', async () => {
    const file = put('cursor', '{}')
    truncateSync(file, 17 * 1024 * 1024)
    await left(file, /larger than 16 MiB/)
  })
})

describe('undo', () => {
  test('goes back one change at a time', async () => {
    const file = put('cursor', '{}\n')
    await client('add', 'cursor')
    const first = readFileSync(file, 'utf8')
    await client('add', 'cursor', '--name', 'second')
    expect((await client('add', 'cursor', '--undo')).code).toBe(0)
    expect(readFileSync(file, 'utf8')).toBe(first)
    expect((await client('add', 'cursor', '--undo')).code).toBe(0)
    expect(readFileSync(file, 'utf8')).toBe('{}\n')
    expect(await client('add', 'cursor', '--undo')).toMatchObject({ code: 1, err: expect.stringContaining('no change of it is kept') })
  })

  test('leaves a file that something else changed since', async () => {
    const file = put('cursor', '{}\n')
    await client('add', 'cursor')
    writeFileSync(file, `${readFileSync(file, 'utf8')}// mine\n`)
    const changed = readFileSync(file, 'utf8')
    expect(await client('add', 'cursor', '--undo')).toMatchObject({ code: 1, err: expect.stringContaining('changed since') })
    expect(readFileSync(file, 'utf8')).toBe(changed)
    expect((await client('remove', 'cursor')).code).toBe(0)
    expect(readFileSync(file, 'utf8')).toContain('// mine')
    expect(readFileSync(file, 'utf8')).not.toContain('/opt/arrowhead.js')
  })

  test('keeps backups for their owner alone', async () => {
    put('claude-code', '{"token": "secret"}')
    const { backup } = JSON.parse((await client('add', 'claude-code', '--json')).out) as { backup: string }
    expect(statSync(backup).mode & 0o777).toBe(0o600)
    expect(statSync(dirname(backup)).mode & 0o777).toBe(0o700)
  })
})

describe('an entry', () => {
  test('carries the settings that were given as flags, but no secret', async () => {
    put('cursor', '{}')
    expect((await client('add', 'cursor', '--profile', 'docs')).code).toBe(0)
    expect(JSON.parse(readFileSync(fileOf('cursor'), 'utf8'))).toEqual({ mcpServers: { arrowhead: { command: '/opt/node', args: ['/opt/arrowhead.js', 'serve', '--profile', 'docs'] } } })
    expect(await client('add', 'cursor', '--llm-api-key', 'k')).toMatchObject({ code: 2, err: expect.stringContaining('a secret does not belong') })
  })

  test('reaches a server by URL, with the name of a variable for its token', async () => {
    put('windsurf', '{}')
    expect((await client('add', 'windsurf', '--url', 'https://mcp.example/mcp', '--token-env', 'TOKEN')).code).toBe(0)
    expect(JSON.parse(readFileSync(fileOf('windsurf'), 'utf8'))).toEqual({ mcpServers: { arrowhead: { serverUrl: 'https://mcp.example/mcp', headers: { Authorization: `Bearer \${env:TOKEN}` } } } })
    for (const bad of ['ftp://x', 'x', 'https://u:p@mcp.example/']) expect((await client('add', 'windsurf', '--url', bad)).code).toBe(2)
    expect((await client('add', 'windsurf', '--url', 'https://x/', '--workspace', '.')).code).toBe(2)
    expect((await client('add', 'windsurf', '--url', 'https://x/', '--token-env', 'ey.J')).code).toBe(2)
  })

  test('is offered as a link that Cursor and VS Code read back as the same entry', async () => {
    const entry = { command: '/opt/node', args: ['/opt/arrowhead.js', 'serve'] }
    const link = async (name: string): Promise<URL> => new URL((await client('add', name, '--print')).out.trim().split('\n').at(-1) ?? '')
    const cursor = await link('cursor')
    expect([cursor.protocol, cursor.host, cursor.pathname, cursor.searchParams.get('name')]).toEqual(['cursor:', 'anysphere.cursor-deeplink', '/mcp/install', 'arrowhead'])
    expect(JSON.parse(Buffer.from(cursor.searchParams.get('config') ?? '', 'base64').toString())).toEqual(entry)
    const vscode = await link('vscode')
    expect(vscode.href.startsWith('vscode:mcp/install?')).toBe(true)
    expect(JSON.parse(decodeURIComponent(vscode.search.slice(1)))).toEqual({ name: 'arrowhead', type: 'stdio', ...entry })
  })

  test('goes into a project’s file where that is asked for', async () => {
    expect((await client('add', 'vscode', '--project', '--create')).code).toBe(0)
    expect(JSON.parse(readFileSync(join(home, '.vscode', 'mcp.json'), 'utf8')).servers).toHaveProperty('arrowhead')
    expect(await client('add', 'windsurf', '--project')).toMatchObject({ code: 2, err: expect.stringContaining('no file for one project') })
  })

  test('has a name that is one word', async () => {
    for (const name of ['__proto__', '', 'a b', '1']) expect((await client('add', 'cursor', '--name', name)).code).toBe(2)
    expect((await client('add', 'emacs')).code).toBe(2)
  })
})

test('what is printed as the way back leads back, for a file of one\'s own and from another folder', async () => {
  const file = join(home, "it's mine", 'mcp.json')
  const { out } = await client('add', 'cursor', '--create', '--file', join("it's mine", 'mcp.json'), '--data-dir', join(home, 'other'))
  const [, undo = ''] = /^Undo: +arrowhead client (.*)$/m.exec(out) ?? []
  expect(undo).toBe(`add cursor --undo --file '${home}/it'\\''s mine/mcp.json' --data-dir ${home}/other`)
  expect(existsSync(file)).toBe(true)
  expect(await client('add', 'cursor', '--undo', '--file', file, '--data-dir', join(home, 'other'))).toMatchObject({ code: 0, err: '' })
  expect(existsSync(file)).toBe(false)
})
