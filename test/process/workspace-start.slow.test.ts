/** How `mcp-serve` starts, and when it does not. */

import { spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readFileSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { CLIENTS } from '../doors/clients.ts'
import { builtBinary } from './built-binary.ts'
import { run, talk } from './child.ts'
import { indexed, makeWorkspacePlace } from './workspace-server.ts'
import type { WorkspacePlace } from './workspace-server.ts'

let place: WorkspacePlace
beforeEach(() => {
  place = makeWorkspacePlace()
})
afterEach(() => place.remove())

test('it offers three tools and nothing else', async () => {
  const server = await place.serve()
  expect(JSON.parse(server.lines[0] ?? '')).toMatchObject({ result: { capabilities: { tools: {} } } })
  expect(Object.keys((JSON.parse(server.lines[0] ?? '') as { result: { capabilities: object } }).result.capabilities)).toEqual(['tools'])
  server.send({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
  expect(((await server.answer(1))['result'] as { tools: { name: string }[] }).tools.map(({ name }) => name)).toEqual(['list_sessions', 'read_session', 'search_code'])
  for (const [at, method] of ['resources/list', 'resources/templates/list', 'prompts/list', 'prompts/get', 'resources/read', 'completion/complete', 'logging/setLevel', 'tasks/get', 'sampling/createMessage'].entries()) {
    server.send({ jsonrpc: '2.0', id: 100 + at, method, params: {} })
    expect([method, (await server.answer(100 + at))['error']]).toEqual([method, expect.objectContaining({ code: -32_601 })])
  }
  server.child.stdin.end()
  expect(await server.exited).toBe(0)
  expect(server.lines.every((line) => (JSON.parse(line) as { jsonrpc: string }).jsonrpc === '2.0')).toBe(true)
})

test('a sessionless client is told of tools alone', async () => {
  const server = talk(spawn(process.execPath, [await builtBinary(), 'mcp-serve', '--cwd', place.cwd], { env: { ...place.env } }))
  const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientInfo': { name: 't', version: '0' }, 'io.modelcontextprotocol/clientCapabilities': {} }
  server.send({ jsonrpc: '2.0', id: 1, method: 'server/discover', params: { _meta } }, { jsonrpc: '2.0', id: 2, method: 'tools/list', params: { _meta } }, { jsonrpc: '2.0', id: 3, method: 'prompts/list', params: { _meta } })
  expect(((await server.answer(1))['result'] as { capabilities: object }).capabilities).toEqual({ tools: {} })
  expect(((await server.answer(2))['result'] as { tools: unknown[] }).tools).toHaveLength(3)
  expect((await server.answer(3))['error']).toMatchObject({ code: -32_601 })
  server.child.stdin.end()
  await server.exited
})

test('it refuses to start unless both ends are pipes', async () => {
  const out = openSync(join(place.base, 'out.txt'), 'w')
  const nothing = openSync('/dev/null', 'r')
  for (const stdio of [['pipe', out, 'pipe'], [nothing, 'pipe', 'pipe']] as const) {
    const { code, err } = await place.run(['--cwd', place.cwd], { stdio: [...stdio] })
    expect([code, err]).toEqual([2, expect.stringContaining('must be pipes')])
  }
  closeSync(out)
  closeSync(nothing)
  expect(statSync(join(place.base, 'out.txt')).size).toBe(0)
})

test.each([['--permission-mode', 'yolo'], ['--permission-mode', 'YOLO'], ['--permission-mode', ' Yo-lo ']])('%s %s is refused with the reason', async (...args) => {
  const { code, err } = await place.run(['--cwd', place.cwd, ...args])
  expect([code, err]).toEqual([78, expect.stringContaining('nobody watches this connection')])
})

test('a mode that approves everything is refused from a file or a variable too', async () => {
  expect(await place.run(['--cwd', place.cwd], { env: { ARROWHEAD_PERMISSION_MODE: 'Yolo' } })).toMatchObject({ code: 78, err: expect.stringContaining('nobody watches') })
  writeFileSync(join(place.base, 'c.json'), '{"permissionMode":"YOLO"}')
  expect(await place.run(['--cwd', place.cwd, '--config', join(place.base, 'c.json')])).toMatchObject({ code: 78, err: expect.stringContaining('nobody watches') })
  mkdirSync(join(place.base, 'home', '.arrowhead'), { recursive: true })
  writeFileSync(join(place.base, 'home', '.arrowhead', 'config.json'), '{"permission_mode":"yolo"}')
  expect(await place.run(['--cwd', place.cwd])).toMatchObject({ code: 78, err: expect.stringContaining('nobody watches') })
})

test('a mode in a file or a variable never makes an assistant', async () => {
  writeFileSync(join(place.base, 'c.json'), '{"permissionMode":"acceptEdits"}')
  place.put('.arrowhead/config.json', '{"permissionMode":"acceptEdits"}')
  const server = await place.serve(['--cwd', place.cwd, '--config', join(place.base, 'c.json')], { ARROWHEAD_PERMISSION_MODE: 'acceptEdits' })
  expect((await server.call(1, 'ask_arrowhead', { prompt: 'x' }))['error']).toMatchObject({ data: { code: 'component.unknown' } })
})

test('flags that hold for a run of the assistant need one', async () => {
  const { code, err } = await place.run(['--cwd', place.cwd, '--max-turns', '3', '--max-cost', '-1', '--dry-run'])
  expect(code).toBe(78)
  for (const flag of ['--max-turns', '--max-cost', '--dry-run']) expect(err).toContain(flag)
})

test('nothing of the workspace decides how it is served', async () => {
  place.put('.env', `ARROWHEAD_DATA_DIR=${place.cwd}/stolen\nARROWHEAD_HOME=${place.cwd}\nARROWHEAD_NONSENSE=1\n`)
  place.put('config.json', '{"repoExcludedDirs":[]}')
  place.put('a.ts', '// x\nexport const needle = 1\n')
  const server = await place.serve()
  expect(JSON.stringify(await server.call(1, 'search_code', { query: 'needle' }))).toContain('a.ts:2')
  expect(() => statSync(join(place.cwd, 'stolen'))).toThrow()
  expect(await place.run(['--cwd', place.cwd, '--config', join(place.cwd, 'config.json')])).toMatchObject({ code: 78, err: expect.stringContaining('of the workspace') })
})

test('every language that is parsed is indexed, unless the operator lists others', async () => {
  for (const name of ['a.mjs', 'b.cc', 'c.kts', 'd.mts', 'e.bash', 'f.rb', 'g.swift', 'h.php', 'i.cs', 'j.rs']) place.put(name, `needleText ${name}\n`)
  const found = async (more: Readonly<Record<string, string>>): Promise<number> => {
    const server = await place.serve(['--cwd', place.cwd], more)
    await indexed(server)
    const { result } = (await server.call(1, 'search_code', { query: 'needleText' })) as { result: { structuredContent: { shown: number } } }
    server.child.stdin.end()
    await server.exited
    return result.structuredContent.shown
  }
  expect(await found({})).toBe(10)
  expect(await found({ ARROWHEAD_REPO_ALLOWED_EXTENSIONS: '.rb,.mjs' })).toBe(2)
})

test('rules that are there and cannot be held to stop the start', async () => {
  for (const text of ['not json', '[]', '{"permissions":[{"tool":"read","action":"deny","path":"**/{a,b}"}]}']) {
    place.put('.arrowhead/config.json', text)
    expect(await place.run(['--cwd', place.cwd])).toMatchObject({ code: 78 })
  }
})

test('rules behind a link out of the workspace stop the start', async () => {
  writeFileSync(join(place.base, 'elsewhere.json'), '{"permissions":[]}')
  mkdirSync(join(place.cwd, '.arrowhead'))
  symlinkSync(join(place.base, 'elsewhere.json'), join(place.cwd, '.arrowhead', 'config.json'))
  expect(await place.run(['--cwd', place.cwd])).toMatchObject({ code: 78, err: expect.stringContaining('.arrowhead/config.json') })
})

test('a folder of the program’s own is no workspace, and one within is carved out and said', async () => {
  expect(await place.run(['--cwd', place.dataDir])).toMatchObject({ code: 78 })
  mkdirSync(join(place.dataDir, 'deep'), { recursive: true })
  expect(await place.run(['--cwd', join(place.dataDir, 'deep')])).toMatchObject({ code: 78, err: expect.stringContaining('belongs to this program') })
  const server = await place.serve(['--cwd', place.base], { ARROWHEAD_HOME: join(place.base, 'mine') })
  server.child.stdin.end()
  await server.exited
  expect(server.stderr()).toContain('arrowhead: data is this program’s own')
  expect(server.stderr()).toContain('arrowhead: mine is this program’s own')
})

test('the index and the sessions lie outside the workspace, for their owner alone', async () => {
  place.put('a.ts', '// x\nexport const needle = 1\n')
  const server = await place.serve()
  await server.call(1, 'search_code', { query: 'needle' })
  await server.call(2, 'list_sessions', {})
  server.child.stdin.end()
  await server.exited
  const files = readdirSync(place.dataDir, { recursive: true, withFileTypes: true })
  expect(files.filter((one) => one.isFile()).length).toBeGreaterThan(2)
  for (const one of files) expect([one.name, statSync(join(one.parentPath, one.name)).mode & 0o077]).toEqual([one.name, 0])
  expect(readdirSync(place.cwd)).toEqual(['a.ts'])
  expect(readFileSync(join(place.cwd, 'a.ts'), 'utf8')).toContain('needle')
})

describe.each(CLIENTS)('$name', ({ open }) => {
  test('takes the listing and the answers', async () => {
    place.put('src/a.ts', '// x\nexport function needleWork() {\n}\n')
    const client = await open({ by: 'child', run: { command: process.execPath, args: [await builtBinary(), 'mcp-serve', '--cwd', place.cwd], env: { ...place.env }, cwd: place.base } })
    expect(await client.call('list_sessions', {})).toMatchObject({ is: 'ok', value: { sessions: [] } })
    expect(await client.call('search_code', { query: 'needleWork' })).toMatchObject({ is: 'ok', value: { shown: 1, more: false } })
    expect(await client.call('read_session', { session_id: 'x' })).toMatchObject({ is: 'refused', code: 'session.missing' })
    expect(await client.call('ask_arrowhead', { prompt: 'x' })).toMatchObject({ is: 'refused', code: 'component.unknown' })
    await client.close()
  })
})

test('what dry runs left is printed, made and forgotten by the operator', async () => {
  const here = { ...place, children: new Set<never>() }
  expect(await run(here, ['overlay', 'diff', '--cwd', place.cwd])).toEqual({ code: 0, out: '', err: '' })
  expect(await run(here, ['overlay', 'apply'])).toMatchObject({ code: 0 })
  expect(await run(here, ['overlay', 'discard'])).toMatchObject({ code: 0, out: '0 discarded\n' })
})
