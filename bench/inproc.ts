/** Calls within one process: our library door beside the SDK's client and server, and beside the bare handler. */

import { Client } from '@modelcontextprotocol/client'
import { InMemoryTransport } from '@modelcontextprotocol/server'
import { createArrowhead } from '../src/index.ts'
import { calculate } from '../src/tools/core/calculate.ts'
import { checkTrail, inTempDir, RAISED_CEILINGS } from './contestants.ts'
import { callsPerSecond, compared, takeTurns } from './rounds.ts'
import type { Bench, Effort, Row } from './rounds.ts'
import { createSdkServer } from './servers/sdk-tools.ts'

const ARGS = { expression: '2 * (3 + 4)' }
const RESULT = 14

function check(result: unknown): void {
  if (result !== RESULT) throw new Error('calculate gave a wrong answer')
}

const resultOf = (value: unknown): unknown => (value as { readonly result?: unknown } | undefined)?.result

interface Contestants {
  ours(): Promise<void>
  sdk(): Promise<void>
  handler(): void
}

/** Opens all of them, with our trail in a real file and our log lines made and dropped. */
async function withContestants<T>(use: (contestants: Contestants) => Promise<T>): Promise<T> {
  return inTempDir(async (dataDir) => {
    let logged = 0
    const log = (line: string): boolean => (logged += line.length) > 0
    const arrowhead = createArrowhead({ ...RAISED_CEILINGS, jailRoot: dataDir }, { dataDir, log })
    const session = arrowhead.asLocal()
    const client = await sdkClient()
    const { services, context } = bareWorld()
    const used = await use({
      ours: async () => check(resultOf(await session.call('calculate', ARGS))),
      sdk: async () => check(resultOf((await client.callTool({ name: 'calculate', arguments: ARGS })).structuredContent)),
      handler: () => check(resultOf(calculate.run(ARGS, services, context))),
    })
    await client.close()
    await arrowhead.close()
    checkTrail(dataDir)
    if (logged === 0) throw new Error('our calls left no log lines')
    return used
  })
}

async function sdkClient(): Promise<Client> {
  const client = new Client({ name: 'bench', version: '1' })
  const [near, far] = InMemoryTransport.createLinkedPair()
  await createSdkServer().connect(far)
  await client.connect(near)
  return client
}

/** What the handler asks of its surroundings, and no more. */
function bareWorld() {
  const services = { bounds: { expressionMaxLength: 200 } } as Parameters<typeof calculate.run>[1]
  return { services, context: {} as Parameters<typeof calculate.run>[2] }
}

/** Calls within a process are so many that whole slices of them would reach the raised ceilings. */
const SHARE = 4

const measure = (theirs: 'sdk' | 'handler', id: string) => ({ rounds, sliceMs }: Effort): Promise<readonly Row[]> =>
  withContestants(async (contestants) => {
    const turn = (name: 'ours' | 'sdk' | 'handler') => () => callsPerSecond(sliceMs / SHARE, () => contestants[name]())
    const turns = { ours: turn('ours'), theirs: turn(theirs) }
    await takeTurns(1, turns)
    return [compared({ id, baseline: theirs, unit: 'calls/s', better: 'more', ...(await takeTurns(rounds, turns)) })]
  })

export const inprocCall: Bench = { ids: ['inproc.call'], run: measure('sdk', 'inproc.call') }

/** The price of all guards, as information: nothing else calls a handler so directly. */
export const inprocHandler: Bench = { ids: ['inproc.handler'], run: measure('handler', 'inproc.handler') }
