/** The executable over stdio: what goes to which stream, and SDK clients against a real process. */

import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { auditReader } from '../../src/app/audit-reader.ts'
import { loadSettings } from '../../src/config/index.ts'
import { builtBinary } from '../process/built-binary.ts'
import { makePlace, startServer } from '../process/child.ts'
import type { Place, Server } from '../process/child.ts'
import { CLIENTS } from './clients.ts'
import type { SdkClient } from './clients.ts'
import { essence, openWorld } from './world.ts'

let place: Place
beforeEach(() => {
  place = makePlace()
})
afterEach(() => place.remove())

/** A module that writes to the console as a careless dependency would, from a signal on. */
const NOISE = `data:text/javascript,${encodeURIComponent(`
  const say = () => { console.log('noise'); console.info('noise'); console.debug('noise'); console.warn('noise'); console.table([1]) }
  process.once('SIGUSR2', () => setInterval(say, 2).unref())`)}`

const isFrame = (line: string): boolean => {
  try {
    return (JSON.parse(line) as { jsonrpc?: unknown }).jsonrpc === '2.0'
  } catch {
    return false
  }
}

describe('standard output', () => {
  const converse = async (server: Server): Promise<void> => {
    for (let id = 1; id <= 20; id += 1) await server.call(id, 'calculate', { expression: `${id} + 1` })
    server.send({ jsonrpc: '2.0', id: 21, method: 'nonsense' })
    await server.answer(21)
    server.child.stdin.write('not json\n')
    await server.answer(null as unknown as number)
    server.child.stdin.end()
    await server.exited
  }

  test('holds frames and nothing else, while warnings and log lines go to standard error', async () => {
    const server = await startServer(place, { ARROWHEAD_RATE_LIMIT_ENABLED: 'false' })
    await converse(server)
    expect(server.lines).toHaveLength(23)
    expect(server.lines.filter((line) => !isFrame(line)).slice(0, 3)).toEqual([])
    expect(server.stderr()).toMatch(/^arrowhead: warning: /m)
    expect(server.stderr()).toMatch(/^\{.*"component":"calculate".*\}$/m)
  })

  test('holds frames and nothing else even when code in the process writes to the console: that goes to standard error', async () => {
    const server = await startServer(place, {}, ['--import', NOISE])
    server.child.kill('SIGUSR2')
    await converse(server)
    expect(server.lines.filter((line) => !isFrame(line)).slice(0, 3)).toEqual([])
    expect(server.stderr()).toContain('noise')
  })
})

describe.each(CLIENTS)('$name with a process of its own', ({ open }) => {
  test('sees what the library sees, and leaves the same records', async () => {
    const here = openWorld()
    const library = here.house.asLocal()
    await library.outcome({ kind: 'tool', name: 'calculate', args: { expression: '6 * 7' } })
    await library.outcome({ kind: 'tool', name: 'calculate', args: { expression: 5 } })
    await library.outcome({ kind: 'tool', name: 'no_such_tool', args: {} })

    const client: SdkClient = await open({ by: 'child', run: { command: process.execPath, args: [await builtBinary(), 'serve'], env: { ...place.env }, cwd: place.cwd } })
    expect(await client.call('calculate', { expression: '6 * 7' })).toEqual({ is: 'ok', value: { result: 42 } })
    expect(await client.call('calculate', { expression: 5 })).toMatchObject({ is: 'refused', code: 'input.invalid' })
    expect(await client.call('no_such_tool', {})).toMatchObject({ is: 'refused', code: 'component.unknown' })
    await client.close()

    const rows = auditReader(loadSettings({}).values, place.dataDir).newest(100).map(({ row }) => row)
    expect(rows.filter(({ kind }) => kind === 'tool').map(essence)).toEqual(here.rows.map(essence))
    expect(new Set(rows.map(({ door }) => door))).toEqual(new Set(['stdio']))
  })
})
