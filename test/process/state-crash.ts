/** Kills servers in the middle of tasks, timers and memory writes, and looks for what is lost or doubled. */

import { expect } from 'vitest'
import { makePlace, startServer } from './child.ts'
import type { Place, Server } from './child.ts'

const MANY = '1000000'
const ENV = {
  ...Object.fromEntries(['TASK_START', 'TASK_GET', 'TASK_LIST', 'TASK_SCHEDULE', 'MEMORY_STORE', 'MEMORY_LIST', 'KV_SET', 'KV_GET'].map((name) => [`ARROWHEAD_${name}_PER_MINUTE`, MANY])),
  ARROWHEAD_TASK_SCHEDULE_MAX_PER_OWNER: '1000', ARROWHEAD_MAX_CONCURRENT_CALLS: '1000', ARROWHEAD_MAX_CONCURRENT_CALLS_PER_CALLER: '1000',
}
const CALLS = 100

type Fields = Readonly<Record<string, unknown>>

/** The fields of an answer; undefined for a refusal. */
async function ask(server: Server, id: number, name: string, args: object): Promise<Fields | undefined> {
  const { result } = (await server.call(id, name, args)) as { result?: { isError?: boolean; structuredContent?: Fields } }
  return result?.isError === true ? undefined : result?.structuredContent
}

/** What a killed server had acknowledged. */
interface Acknowledged {
  /** Payload by id. */
  readonly timers: Map<string, number>
  readonly scans: Set<string>
  readonly memories: Map<string, number>
  readonly keys: Set<number>
}

const CALL_OF = [
  (n: number) => ['task_schedule', { delay_seconds: (n % 10) / 5, payload: { n } }],
  (n: number) => ['memory_store', { namespace: 'notes', content: `memory ${n}`, metadata: { n } }],
  (n: number) => ['kv_set', { key: `key:${n}`, value: `value ${n}` }],
  (n: number) => (n % 16 === 3 ? ['scan_corpus_async', {}] : ['task_schedule', { delay_seconds: 0, payload: { n } }]),
] as const satisfies readonly ((n: number) => readonly [string, object])[]

/** Sends every call at once and kills the server after so many answers. */
async function killAfter(answers: number, place: Place): Promise<Acknowledged> {
  const server = await startServer(place, ENV)
  const told: Acknowledged = { timers: new Map(), scans: new Set(), memories: new Map(), keys: new Set() }
  let [answered, enough] = [0, (): void => {}]
  const reached = new Promise<void>((resolve) => void (enough = resolve))
  const calls = Array.from({ length: CALLS }, async (_, n) => {
    const [name, args] = (CALL_OF[n % CALL_OF.length] ?? CALL_OF[0])(n)
    const fields = await ask(server, n, name, args)
    if (fields !== undefined) {
      if (name === 'task_schedule') told.timers.set(String(fields['taskId']), n)
      if (name === 'scan_corpus_async') told.scans.add(String(fields['taskId']))
      if (name === 'memory_store') told.memories.set(String(fields['id']), n)
      if (name === 'kv_set') told.keys.add(n)
    }
    if ((answered += 1) >= answers) enough()
  })
  for (const call of calls) call.catch(() => {})
  await reached
  server.child.kill('SIGKILL')
  await server.exited
  return told
}

async function expectNothingLost(place: Place, told: Acknowledged): Promise<void> {
  const server = await startServer(place, ENV)
  let id = 0
  const get = (name: string, args: object = {}) => ask(server, (id += 1), name, args)
  const list = async () => ((await get('task_list'))?.['tasks'] ?? []) as readonly { taskId: string; status: string; kind: string }[]
  while ((await list()).some(({ status }) => status === 'working' || status === 'scheduled')) await new Promise((resolve) => setTimeout(resolve, 50))

  const fired = new Map<string, number>()
  for (const { taskId, kind } of await list()) {
    const state = await get('task_get', { task_id: taskId })
    if (kind === 'timer') fired.set(taskId, (state as { result: { payload: { n: number } } }).result.payload.n)
  }
  for (const [taskId, n] of told.timers) expect([taskId, fired.get(taskId)]).toEqual([taskId, n])
  expect(new Set(fired.values()).size).toBe(fired.size)
  for (const taskId of told.scans) expect(['completed', 'failed']).toContain((await get('task_get', { task_id: taskId }))?.['status'])

  const entries = (await get('memory_list', { namespace: 'notes' }))?.['entries'] as readonly { id: string; metadata: { n: number } }[] | undefined
  const kept = new Map((entries ?? []).map(({ id: memory, metadata }) => [memory, metadata.n]))
  for (const [memory, n] of told.memories) expect([memory, kept.get(memory)]).toEqual([memory, n])
  expect(new Set(kept.values()).size).toBe(kept.size)
  for (const n of told.keys) expect((await get('kv_get', { key: `key:${n}` }))?.['content']).toContain(`value ${n}`)
  server.child.kill('SIGKILL')
  await server.exited
}

/** Rounds that each begin with nothing. @throws when something acknowledged is gone, or something is there twice. */
export async function stateCrashRounds(rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    const place = makePlace()
    try {
      await expectNothingLost(place, await killAfter(1 + Math.floor(Math.random() * (CALLS - 1)), place))
    } finally {
      place.remove()
    }
  }
}
