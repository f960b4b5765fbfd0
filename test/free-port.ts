/**
 * Ports that nobody listens on, for programs that must be told theirs. Whether one is free is asked by connecting: a
 * socket that listens, however briefly, is shared with any process that another thread is starting at that moment, and
 * keeps its port until that process runs its own program.
 */

import { randomInt } from 'node:crypto'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** Below the ports that the system itself gives to connections: one of those could be taken before it is listened on. */
const [FIRST, COUNT] = [20_000, 12_000]
const LOOK_AGAIN_MS = 5

export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + randomInt(COUNT)
    if (await isFree(port)) return port
  }
}

/** Resolves when a port of one's own, that was just given up, can be listened on again. */
export async function untilFree(port: number): Promise<void> {
  while (!(await isFree(port))) await sleep(LOOK_AGAIN_MS)
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = connect(port, '127.0.0.1', () => {
      probe.destroy()
      resolve(false)
    })
    probe.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code === 'ECONNREFUSED'))
  })
