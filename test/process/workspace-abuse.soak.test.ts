/** Clients that ask for more than fits into a pipe. */

import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { indexed, makeWorkspacePlace } from './workspace-server.ts'
import type { WorkspacePlace } from './workspace-server.ts'

let place: WorkspacePlace
beforeEach(() => {
  place = makeWorkspacePlace()
  for (let at = 0; at < 50; at += 1) place.put(`src/f${at}.ts`, `// x\nexport function needleNumber${at}() {\n}\n`)
})
afterEach(() => place.remove())

const call = (id: number | string, name: string, args: object): string => `${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } })}\n`

describe('a client', () => {
  test('that queues ten thousand calls has each of them answered, once', async () => {
    const server = await place.serve()
    await indexed(server)
    const names = ['search_code', 'list_sessions', 'read_session', 'no_such_tool'] as const
    server.child.stdin.write(Array.from({ length: 10_000 }, (_, at) => call(at + 1, names[at % 4] ?? '', at % 4 === 0 ? { query: `needleNumber${at % 50}`, limit: 1 } : at % 4 === 1 ? {} : { session_id: 'x' })).join(''))
    for (let id = 1; id <= 10_000; id += 1) await server.answer(id)
    const ids = server.lines.map((line) => (JSON.parse(line) as { id?: unknown }).id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.filter((id) => typeof id === 'number' && id <= 10_000)).toHaveLength(10_000)
    server.child.stdin.end()
    expect(await server.exited).toBe(0)
  })

  test('that does not read holds nothing up for ever, and its calls are answered once it does', async () => {
    const server = await place.serve()
    await indexed(server)
    server.child.stdout.pause()
    server.child.stdin.write(Array.from({ length: 3_000 }, (_, at) => call(at + 1, 'search_code', { query: 'needleNumber1', limit: 20 })).join(''))
    await new Promise((resolve) => setTimeout(resolve, 300))
    server.child.stdout.resume()
    for (let id = 1; id <= 3_000; id += 1) await server.answer(id)
  })
})
