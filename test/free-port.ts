/** A port that nobody listens on, for programs that must be told theirs. */

import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/** Below the ports that the system itself gives to connections: one of those could be taken before it is listened on. */
const [FIRST, COUNT] = [20_000, 12_000]

export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + randomInt(COUNT)
    if (await isFree(port)) return port
  }
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer().once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
