/** Calls a second through a proxy to one replica and to two, all on this machine with the client beside them. */

import type { Deployment, Replica } from '../test/replicas/deployment.ts'
import { openDeployment } from '../test/replicas/deployment.ts'
import { createClient } from './http-client.ts'
import { CALCULATED, calculateRequest } from './http-requests.ts'
import { compared } from './rounds.ts'
import type { Effort, Row } from './rounds.ts'

const CONNECTIONS = 32
const MANY = '1000000'

export async function replicaRate(engines: { readonly redis: string; readonly binary: string }, { rounds, sliceMs }: Effort): Promise<readonly Row[]> {
  const deployment = await openDeployment({
    ARROWHEAD_REDIS_URL: engines.redis, ARROWHEAD_CALCULATE_PER_MINUTE: MANY, ARROWHEAD_MAX_CONCURRENT_CALLS: '1000', ARROWHEAD_MAX_CONCURRENT_CALLS_PER_CALLER: '1000',
  }, { keepAlive: true, root: process.cwd(), binary: engines.binary })
  try {
    const replicas = [await deployment.start(), await deployment.start()]
    const [one, two]: number[][] = [[], []]
    for (let round = 0; round <= rounds; round += 1) {
      for (const [count, rates] of [[1, one], [2, two]] as const) {
        const rate = await rateOf(deployment, replicas.slice(0, count), sliceMs)
        // The first round warms up.
        if (round > 0) rates?.push(rate)
      }
    }
    return [compared({ id: 'scale.replicas', baseline: 'one replica', unit: 'calls/s', better: 'more', ours: two ?? [], theirs: one ?? [] })]
  } finally {
    await deployment.remove()
  }
}

async function rateOf(deployment: Deployment, replicas: readonly Replica[], ms: number): Promise<number> {
  await deployment.route(replicas)
  const port = Number(new URL(deployment.url).port)
  return (await createClient({ port, requests: [calculateRequest({ port, era: 'modern' })], connections: CONNECTIONS, expected: CALCULATED }).load(ms)).perSecond
}
