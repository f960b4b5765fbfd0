/** Calls over HTTP, eight connections at once: our door with everything on, beside the SDK's handler and beside bare node:http. */

import { join } from 'node:path'
import { createSqliteTrail } from '../src/services/audit/index.ts'
import { AUDIENCE, createCallers, ISSUER } from './callers.ts'
import type { Callers } from './callers.ts'
import { checkTrail, inTempDir, RAISED_CEILINGS } from './contestants.ts'
import { createClient } from './http-client.ts'
import type { Load } from './http-client.ts'
import { CALCULATED, calculateRequest, listRequest } from './http-requests.ts'
import { startEcho, startOwn, startSdk } from './http-servers.ts'
import type { StartedServer } from './http-servers.ts'
import { CATALOGUE_SIZE } from './many-tools.ts'
import type { OwnParts } from './servers/own-http.ts'
import type { Era } from './raw-client.ts'
import { compared, takeTurns } from './rounds.ts'
import type { Bench, Effort, Row } from './rounds.ts'

const CONNECTIONS = 8

/** A server under load. */
interface Contestant {
  load(ms: number): Promise<Measured>
  end(): Promise<void>
}

/** What a machine that does other work too takes from a rate, it leaves a server's own time nearly alone. */
interface Measured extends Load {
  /** Processor time of the server for one call, all its threads together, in microseconds. */
  readonly cpuUs: number
}

interface Audience {
  readonly era: Era
  /** Callers that take turns; none are asked for a token where there are none. */
  readonly tokens?: readonly string[]
  /** How many tools the server must list; bare node:http lists none. */
  readonly tools?: number
}

async function contestant(server: StartedServer, { era, tokens = [], tools }: Audience): Promise<Contestant> {
  const { port } = server
  const withTokens = tokens.map((token) => ({ port, era, token }))
  const all = withTokens.length === 0 ? [{ port, era }] : withTokens
  const client = createClient({ port, requests: all.map(calculateRequest), connections: CONNECTIONS, expected: CALCULATED })
  await client.warm()
  if (tools !== undefined && all[0]) {
    const listed = (await client.ask(listRequest(all[0]))).split('"inputSchema"').length - 1
    if (listed !== tools) throw new Error(`a server lists ${listed} tools, not ${tools}`)
  }
  return {
    async load(ms) {
      const before = await server.cpuUs()
      const load = await client.load(ms)
      return { ...load, cpuUs: (await server.cpuUs() - before) / load.calls }
    },
    end: () => server.end(),
  }
}

interface Own {
  readonly folder: string
  readonly era: Era
  readonly callers: Callers
  readonly tools?: number
  readonly guards?: OwnParts['guards']
}

/** Our server: tokens, ceilings that a bench stays below, a trail in a real file. */
async function own({ folder: dataDir, era, callers: { publicKeyPem, tokens }, tools = CATALOGUE_SIZE, guards = 'all' }: Own): Promise<Contestant> {
  const settings = {
    ...RAISED_CEILINGS, transport: 'http', jailRoot: dataDir, authEnabled: true,
    serverPublicUrl: AUDIENCE, oauthIssuer: ISSUER, oauthAudience: AUDIENCE, oauthPublicKey: publicKeyPem,
  }
  const made = await contestant(await startOwn({ dataDir, tools, guards, settings }), { era, tokens, tools })
  return {
    ...made,
    async end() {
      await made.end()
      if (guards === 'all') checkTrail(dataDir)
    },
  }
}

async function sdk(era: Era, callers?: Callers): Promise<Contestant> {
  const auth = callers && { issuer: ISSUER, audience: AUDIENCE, publicKeyPem: callers.publicKeyPem }
  const server = await startSdk({ tools: CATALOGUE_SIZE, ...(auth && { auth }) })
  return contestant(server, { era, tools: CATALOGUE_SIZE, ...(callers && { tokens: callers.tokens }) })
}

/** Rounds that do not count: it takes some ten thousand calls until everything is compiled. */
const WARM_ROUNDS = 3

/** Loads the contestants in turn. */
async function race<Name extends string>({ rounds, sliceMs }: Effort, contestants: Readonly<Record<Name, Contestant>>): Promise<Record<Name, Measured[]>> {
  const names = Object.keys(contestants) as Name[]
  const turns = Object.fromEntries(names.map((name) => [name, () => contestants[name].load(sliceMs)])) as Record<Name, () => Promise<Measured>>
  try {
    await takeTurns(WARM_ROUNDS, turns)
    return await takeTurns(rounds, turns)
  } finally {
    for (const name of names) await contestants[name].end()
  }
}

const ratesOf = (loads: readonly Load[]): readonly number[] => loads.map(({ perSecond }) => perSecond)

const rate = (id: string, baseline: string, ours: readonly Load[], theirs: readonly Load[]): Row =>
  compared({ id, baseline, unit: 'calls/s', better: 'more', ours: ratesOf(ours), theirs: ratesOf(theirs) })

export const httpModern: Bench = {
  ids: ['http.modern.rps', 'http.modern.p99', 'http.auth.rps', 'http.modern.echo'],
  run: (effort) => inTempDir(async (folder) => {
    const callers = await createCallers(1)
    const { ours, open, checked, echo } = await race(effort, {
      ours: await own({ folder, era: 'modern', callers }),
      open: await sdk('modern'),
      checked: await sdk('modern', callers),
      echo: await contestant(await startEcho(), { era: 'modern', tokens: callers.tokens }),
    })
    const slowest = (loads: readonly Load[]): readonly number[] => loads.map(({ p99Ms }) => p99Ms)
    return [
      rate('http.modern.rps', 'sdk', ours, open),
      compared({ id: 'http.modern.p99', baseline: 'sdk', unit: 'ms', better: 'less', ours: slowest(ours), theirs: slowest(open) }),
      rate('http.auth.rps', 'sdk', ours, checked),
      rate('http.modern.echo', 'node-echo', ours, echo),
    ]
  }),
}

export const httpLegacy: Bench = {
  ids: ['http.legacy.rps'],
  run: (effort) => inTempDir(async (folder) => {
    const callers = await createCallers(1)
    const { ours, theirs } = await race(effort, { ours: await own({ folder, era: 'legacy', callers }), theirs: await sdk('legacy') })
    return [rate('http.legacy.rps', 'sdk', ours, theirs)]
  }),
}

/** What the chain, the trail and the log line cost: the same door without them. */
export const httpGuards: Bench = {
  ids: ['http.guards', 'http.guards.cpu', 'http.chain'],
  run: (effort) => inTempDir(async (folder) => {
    const callers = await createCallers(1)
    const { ours, unrecorded, bare } = await race(effort, {
      ours: await own({ folder: join(folder, 'guarded'), era: 'modern', callers }),
      unrecorded: await own({ folder: join(folder, 'unrecorded'), era: 'modern', callers, guards: 'unrecorded' }),
      bare: await own({ folder: join(folder, 'bare'), era: 'modern', callers, guards: 'bare' }),
    })
    const spent = (loads: readonly Measured[]): readonly number[] => loads.map(({ cpuUs }) => cpuUs)
    return [
      rate('http.guards', 'no-guards', ours, bare),
      compared({ id: 'http.guards.cpu', baseline: 'no-guards', unit: 'us/call', better: 'less', ours: spent(ours), theirs: spent(bare) }),
      rate('http.chain', 'no-guards', unrecorded, bare),
    ]
  }),
}

const MANY = { tools: 200, callers: 1_000, rows: 100_000 } as const

/** Whether a call costs the same however much there is: `ours` has many tools, callers and rows in its trail, the baseline has few. */
export const httpScale: Bench = {
  ids: ['http.scale'],
  run: (effort) => inTempDir(async (folder) => {
    const [crowd, one] = [await createCallers(MANY.callers), await createCallers(1)]
    const full = join(folder, 'full')
    await fillTrail(join(full, 'audit.sqlite'), MANY.rows)
    const { many, few } = await race(effort, {
      many: await own({ folder: full, era: 'modern', callers: crowd, tools: MANY.tools }),
      few: await own({ folder: join(folder, 'few'), era: 'modern', callers: one, tools: CATALOGUE_SIZE }),
    })
    return [rate('http.scale', 'small', many, few)]
  }),
}

const ROWS_AT_ONCE = 5_000

async function fillTrail(file: string, rows: number): Promise<void> {
  const trail = createSqliteTrail({
    file,
    onError: (error) => {
      throw error
    },
  })
  for (let at = 1; at <= rows; at += 1) {
    trail.append({
      id: `row-${at}`, at, door: 'http', kind: 'tool', component: 'calculate', caller: 'caller-0', args: '{expression: string(11)}',
      outcome: 'ok', code: '', reason: '', ms: 1, trace: '',
    })
    if (at % ROWS_AT_ONCE === 0) await trail.flush()
  }
  await trail.close()
}
