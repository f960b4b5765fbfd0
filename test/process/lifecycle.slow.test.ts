/** A stdio server ends when its client does, however that comes about, and leaves nothing behind. */

import { spawn } from 'node:child_process'
import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { builtBinary } from './built-binary.ts'
import { endsInTime, makePlace, run, runs, startServer } from './child.ts'
import type { Place } from './child.ts'

let place: Place
const started = new Set<number>()

beforeEach(() => {
  place = makePlace()
})
afterEach(() => {
  for (const pid of started) if (runs(pid)) process.kill(pid, 'SIGKILL')
  started.clear()
  place.remove()
})

/** A process between us and the server. `stdio` says whose pipes the server has: ours, or the middle's own. */
async function startMiddle(stdio: 'inherit' | 'pipe'): Promise<{ readonly middle: ChildProcessWithoutNullStreams; readonly server: number }> {
  const program = `
    const { spawn } = require('node:child_process')
    const server = spawn(process.execPath, [${JSON.stringify(await builtBinary())}, 'serve'], { stdio: ['${stdio}', '${stdio}', 'ignore'] })
    process.stderr.write('server ' + server.pid + '\\n')
    if (server.stdin) {
      server.stdin.write(${JSON.stringify(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })}\n`)})
      server.stdout.on('data', (chunk) => process.stdout.write(chunk))
    }
    setInterval(() => {}, 1000)`
  const middle = spawn(process.execPath, ['-e', program], { cwd: place.cwd, env: place.env })
  middle.stdin.on('error', () => {})
  if (stdio === 'inherit') middle.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })}\n`)
  const [server] = await Promise.all([firstNumber(middle), answered(middle)])
  started.add(server)
  if (middle.pid !== undefined) started.add(middle.pid)
  return { middle, server }
}

const firstNumber = (middle: ChildProcessWithoutNullStreams): Promise<number> =>
  new Promise((resolve) => middle.stderr.on('data', (chunk: Buffer) => {
    const [, pid] = /^server (\d+)$/m.exec(chunk.toString()) ?? []
    if (pid !== undefined) resolve(Number(pid))
  }))

const answered = (middle: ChildProcessWithoutNullStreams): Promise<void> => new Promise((resolve) => middle.stdout.once('data', () => resolve()))

describe('a stdio server', () => {
  test('ends well when its input ends, having answered what was asked', async () => {
    const server = await startServer(place)
    const answer = server.call(1, 'calculate', { expression: '6 * 7' })
    server.child.stdin.end()
    expect(await answer).toMatchObject({ result: { structuredContent: { result: 42 } } })
    expect(await endsInTime(server.pid)).toBe(true)
    expect(await server.exited).toBe(0)
  })

  test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('ends well on %s, with its records written', async (signal) => {
    const server = await startServer(place)
    await server.call(1, 'calculate', { expression: '1' })
    server.child.kill(signal)
    expect(await endsInTime(server.pid)).toBe(true)
    expect(await server.exited).toBe(0)
    const { out } = await run(place, ['logs', '--json'])
    expect(out).toContain('"component":"calculate"')
  })

  test('ends when the reader of its output is gone', async () => {
    const server = await startServer(place)
    server.child.stdout.destroy()
    // An answer that is written before the pipe is closed would be the last for a long time.
    await new Promise((resolve) => setTimeout(resolve, 200))
    server.send({ jsonrpc: '2.0', id: 1, method: 'ping' }, { jsonrpc: '2.0', id: 2, method: 'ping' })
    expect(await endsInTime(server.pid)).toBe(true)
  })

  test('goes on when nobody reads its log', async () => {
    const server = await startServer(place)
    server.child.stderr.destroy()
    for (let id = 1; id <= 5; id += 1) expect(await server.call(id, 'calculate', { expression: '1' })).toHaveProperty('result')
    server.child.stdin.end()
    expect(await server.exited).toBe(0)
  })

  // Where the pipe stays open in another process's hands, only the parent's death tells.
  test('ends when its parent is killed while a grandparent holds the pipe open', async () => {
    const { middle, server } = await startMiddle('inherit')
    middle.kill('SIGKILL')
    expect(await endsInTime(server)).toBe(true)
    expect(middle.stdin.destroyed || middle.stdin.writable).toBe(true)
  })

  test('ends when its client is killed', async () => {
    const { middle, server } = await startMiddle('pipe')
    middle.kill('SIGKILL')
    expect(await endsInTime(server)).toBe(true)
  })
})
