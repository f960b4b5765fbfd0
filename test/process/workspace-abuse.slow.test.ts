/** A client that breaks the rules of the pipe, or is gone: the workspace server answers what can be answered, and ends. */

import { spawn } from 'node:child_process'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { builtBinary } from './built-binary.ts'
import { endsInTime, runs } from './child.ts'
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
  test('that sends a request byte by byte, in the middle of characters too, is answered', async () => {
    const server = await place.serve()
    await indexed(server)
    for (const byte of Buffer.from(call('ä→😀', 'search_code', { query: 'needle ünïcode' }))) {
      server.child.stdin.write(Buffer.of(byte))
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(await server.answer('ä→😀')).toMatchObject({ result: { structuredContent: { more: true } } })
  })

  test('that leaves in the middle of a line is not waited for', async () => {
    const server = await place.serve()
    server.child.stdin.write(call(1, 'search_code', { query: 'x' }).slice(0, 40))
    server.child.stdin.end()
    expect(await endsInTime(server.pid)).toBe(true)
    expect(await server.exited).toBe(0)
  })

  test('that sends lines without end, and no text, is told so and goes on', async () => {
    const server = await place.serve()
    server.child.stdin.write(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_code","arguments":{"query":"${'x'.repeat(30_000_000)}"}}}\n`)
    expect(await server.answer(null as unknown as number)).toMatchObject({ error: { data: { code: 'message.too-large' } } })
    server.child.stdin.write(Buffer.concat([Buffer.from([0xff, 0xfe, 0x80, 0x0a]), Buffer.from('[[[[[\n{}\nnull\n"x"\n')]))
    server.child.stdin.write(`${'['.repeat(1_000_000)}\n`)
    expect(await server.call(2, 'list_sessions', {})).toMatchObject({ result: { structuredContent: { sessions: [] } } })
  })

  test('that dies takes the server along', async () => {
    const program = `
      const { spawn } = require('node:child_process')
      const server = spawn(process.execPath, [${JSON.stringify(await builtBinary())}, 'mcp-serve', '--cwd', ${JSON.stringify(place.cwd)}], { stdio: ['pipe', 'pipe', 'ignore'] })
      server.stdin.write(${JSON.stringify(call(1, 'search_code', { query: 'needle' }))})
      server.stdout.on('data', () => process.stdout.write(server.pid + '\\n'))
      setInterval(() => {}, 1000)`
    const client = spawn(process.execPath, ['-e', program], { env: { ...place.env }, stdio: ['ignore', 'pipe', 'ignore'] })
    const pid = await new Promise<number>((resolve) => client.stdout.once('data', (chunk: Buffer) => resolve(Number.parseInt(chunk.toString(), 10))))
    expect(runs(pid)).toBe(true)
    client.kill('SIGKILL')
    expect(await endsInTime(pid)).toBe(true)
  })

  test('that cancels what it asked hears nothing of it, and the next call is answered', async () => {
    const server = await place.serve()
    await indexed(server)
    server.child.stdin.write(call(1, 'search_code', { query: 'needle' }))
    server.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } })
    expect(await server.call(2, 'search_code', { query: 'needle' })).toMatchObject({ result: { structuredContent: { more: true } } })
  })
})
