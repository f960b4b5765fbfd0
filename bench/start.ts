/** From nothing to a listing: how long a client waits for a server that it starts, and what the server then holds. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { filesystemServer, inTempDir, ours } from './contestants.ts'
import { residentMb, startServer } from './raw-client.ts'
import type { Command } from './raw-client.ts'
import { compared, takeTurns } from './rounds.ts'
import type { Bench, Row } from './rounds.ts'

interface Start {
  readonly ms: number
  readonly mb: number
}

async function startAndList(command: Command): Promise<Start> {
  const from = performance.now()
  const server = startServer(command, 'legacy')
  try {
    await server.open()
    await server.request('tools/list')
    return { ms: performance.now() - from, mb: server.residentMb() }
  } finally {
    await server.end()
  }
}

/** The floor: a runtime that does nothing, from its start to its end; its memory is taken from one that waits. */
async function startNode(cwd: string): Promise<Start> {
  const from = performance.now()
  await once(spawn(process.execPath, ['-e', '0'], { cwd, stdio: 'ignore' }), 'exit')
  const ms = performance.now() - from
  const idle = spawn(process.execPath, ['-e', 'process.stdin.resume(); process.stdout.write(".")'], { cwd, stdio: ['pipe', 'pipe', 'ignore'] })
  await once(idle.stdout, 'data')
  const mb = residentMb(idle.pid)
  idle.stdin.end()
  await once(idle, 'exit')
  return { ms, mb }
}

/** Processes start slowly and vary much, so there are more rounds than of the rates. */
const STARTS_A_ROUND = 2

export const start = (binary: string): Bench => ({
  ids: ['start.list', 'start.rss'],
  run: ({ rounds }) => inTempDir(async (folder) => {
    const turns = {
      ours: () => startAndList(ours(binary, folder)),
      node: () => startNode(folder),
      'server-filesystem': () => startAndList(filesystemServer(folder)),
    }
    await takeTurns(1, turns)
    const taken = await takeTurns(rounds * STARTS_A_ROUND, turns)
    const row = (id: string, of: keyof Start, unit: string, baseline: 'node' | 'server-filesystem'): Row =>
      compared({ id, baseline, unit, better: 'less', ours: taken.ours.map((one) => one[of]), theirs: taken[baseline].map((one) => one[of]) })
    return [
      row('start.list', 'ms', 'ms', 'node'), row('start.list', 'ms', 'ms', 'server-filesystem'),
      row('start.rss', 'mb', 'MB', 'node'), row('start.rss', 'mb', 'MB', 'server-filesystem'),
    ]
  }),
})
