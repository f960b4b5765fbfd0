/** Every stdio client starts a process of its own, so several share one data directory. */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makePlace, run, startServer, until } from './child.ts'

const [PROCESSES, CALLS] = [4, 200]
const PATIENCE_MS = 10_000
/** No limit is in the way: every one of the calls is to end well. */
const SETTINGS = { ARROWHEAD_CALCULATE_PER_MINUTE: '1000000', ARROWHEAD_STDIO_MAX_CONCURRENT_REQUESTS: '16' }

test('four processes on one data directory write one chain that holds every call of each', async () => {
  const place = makePlace()
  try {
    const servers = await Promise.all(Array.from({ length: PROCESSES }, () => startServer(place, SETTINGS)))
    const callAll = (ids: readonly number[]): Promise<unknown> => Promise.all(servers.flatMap((server, at) => ids.map(async (id) => {
      expect(await server.call(id, 'calculate', { expression: `${at} + ${id}` })).toMatchObject({ result: { structuredContent: { result: at + id } } })
    })))
    const ids = Array.from({ length: CALLS }, (_, id) => id)
    await callAll(ids.slice(0, CALLS / 2))
    // The lines of a process carry the head of the trail once it has written rows.
    await until(() => existsSync(join(place.dataDir, 'audit.sqlite')), PATIENCE_MS)
    await callAll(ids.slice(CALLS / 2))
    for (const { child } of servers) child.stdin.end()
    expect(await Promise.all(servers.map(({ exited }) => exited))).toEqual([0, 0, 0, 0])

    const verdict = await run(place, ['audit', 'verify'])
    expect(verdict).toMatchObject({ code: 0, err: '' })
    // One handshake of each process, and every call.
    expect(verdict.out).toContain(`whole: ${PROCESSES * (CALLS + 1)} rows`)
    const { out } = await run(place, ['logs', '--json', '--limit', '10000'])
    const rows = out.trim().split('\n').map((line) => JSON.parse(line) as { id: string; component: string; outcome: string })
    const calls = rows.filter(({ component, outcome }) => component === 'calculate' && outcome === 'ok')
    expect(calls).toHaveLength(PROCESSES * CALLS)
    expect(new Set(calls.map(({ id }) => id)).size).toBe(PROCESSES * CALLS)

    // The heads that the log lines of all processes carried lie on this one chain.
    const heads = servers.flatMap((server) => [...server.stderr().matchAll(/"head":"(\d+:[0-9a-f]{64})"/g)].map(([, head]) => head ?? ''))
    expect(heads.length).toBeGreaterThan(0)
    const anchors = [...new Set(heads)].slice(-20).flatMap((head) => ['--anchor', head])
    expect(await run(place, ['audit', 'verify', ...anchors])).toMatchObject({ code: 0, err: '' })
  } finally {
    place.remove()
  }
})
