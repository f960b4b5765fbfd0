/** Processes over one file of tasks: who fires a timer, who does which work, and what a kill leaves. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { principal } from '../../src/kernel/caller.ts'
import { ownerOf } from '../../src/kernel/owner.ts'
import { createTasks } from '../../src/services/tasks/index.ts'
import type { OpenTasks } from '../../src/services/tasks/index.ts'
import type { Store } from '../../src/kernel/ports/store.ts'
import { buildScript } from './processes.ts'
import type { Script } from './processes.ts'

const LIMITS = { maxDelaySeconds: 86_400, minRepeatSeconds: 0.05, maxTimers: 100_000, maxPayloadBytes: 1000 }
const LEASE_MS = 1_500

/** `fire`: fires whatever is due and prints each id. `work`: does what there is, and prints each call and its end. */
const PROCESS = `
import { writeSync } from 'node:fs'
import { createTasks } from '../../src/services/tasks/index.ts'
import { SqliteTasks, serverTasks } from '../../src/services/tasks/task-store.ts'
import { createPostgresStore } from '../../src/services/database/index.ts'
import { fireDue } from '../../src/services/tasks/timers.ts'
import { principal } from '../../src/kernel/caller.ts'
import { Answer } from '../../src/kernel/answer.ts'
import { get } from '../../src/kernel/ports/store.ts'
const [, , mode, place, limits] = process.argv
const at = place.startsWith('postgresql') ? createPostgresStore({ dsn: place }) : place
const say = (line) => writeSync(1, line + '\\n')
if (mode === 'fire') {
  const store = typeof at === 'string' ? new SqliteTasks(at) : serverTasks(at)
  function* count() { return Number((yield* get("SELECT count(*) AS n FROM task WHERE status = 'scheduled'")).n) }
  while ((await store.use('read', count)) > 0) {
    const fired = await store.use('write', () => fireDue(Date.now()))
    if (fired > 0) say(String(fired))
    else await new Promise((resolve) => setTimeout(resolve, Math.random() * 5))
  }
  await store.close()
  if (typeof at !== 'string') await at.close()
} else {
  const { begin } = createTasks({ at, place: 'here', limits: JSON.parse(limits), clock: { now: () => Date.now() }, onFault: (error) => say('fault ' + error), leaseMs: ${LEASE_MS}, pollMs: 50 })
  begin({
    callerOf: ({ subject, scopes }) => principal(subject, new Set(scopes)),
    dispatch: async ({ args }, caller) => {
      say('begun ' + caller.subject + ':' + args.n)
      await new Promise((resolve) => setTimeout(resolve, 5 + Math.random() * 20))
      say('ended ' + caller.subject + ':' + args.n)
      return { is: 'ok', answer: new Answer({ n: args.n, by: process.pid }) }
    },
  })
  setInterval(() => {}, 1000)
}
`

export const buildTaskProcesses = (): Promise<Script> => buildScript(PROCESS)

interface Place {
  readonly file: string
  readonly tasks: OpenTasks
  remove(): Promise<void>
}

/** A server of its own, instead of a file. */
export interface TaskServer {
  readonly dsn: string
  readonly store: Store
}

function makePlace(server?: TaskServer): Place {
  const folder = mkdtempSync(join(tmpdir(), 'arrowhead-tasks-'))
  const file = server?.dsn ?? join(folder, 'tasks.sqlite')
  const tasks = createTasks({ at: server?.store ?? file, place: 'here', limits: LIMITS, clock: { now: () => Date.now() }, onFault: () => {} })
  return {
    file, tasks,
    async remove() {
      await tasks.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const OWNERS = Array.from({ length: 10 }, (_, index) => principal(`owner-${index}`, new Set(['x:y'])))

/** Two processes race for so many timers that fall due while they look. */
export async function fireTogether(script: Script, count: number, server?: TaskServer): Promise<void> {
  const place = makePlace(server)
  try {
    const ids: string[] = []
    // None falls due while the last are being set, which would fire it.
    const firstSeconds = 1 + count / 50
    for (let n = 0; n < count; n += 1) {
      const owner = OWNERS[n % OWNERS.length] ?? principal('x', new Set())
      ids.push((await place.tasks.tasks.schedule(owner, { delaySeconds: firstSeconds + Math.random() * 2, repeatSeconds: 0, payload: { n } })).taskId)
    }
    const both = [script.start('fire', place.file), script.start('fire', place.file)]
    expect(await Promise.all(both.map(({ ended }) => ended))).toEqual(both.map(() => ({ code: 0, errors: '' })))
    expect(both.flatMap((each) => each.lines()).reduce((sum, line) => sum + Number(line), 0)).toBe(count)
    const payloads = new Set<unknown>()
    for (const [n, id] of ids.entries()) {
      const state = await place.tasks.tasks.get(ownerOf(OWNERS[n % OWNERS.length] ?? principal('x', new Set())), id)
      // Finished tasks beyond a hundred of one owner are forgotten.
      if (state === undefined) continue
      expect(state.status).toBe('completed')
      payloads.add((state.result as { payload: { n: number } } | undefined)?.payload.n)
    }
    expect(payloads.size).toBe(Math.min(count, OWNERS.length * 100))
  } finally {
    await place.remove()
  }
}

/** Two processes do the work of many; one of them is killed in the middle, so many times. */
export async function workThroughKills(script: Script, kills: number, server?: TaskServer): Promise<void> {
  const place = makePlace(server)
  const { tasks } = place.tasks
  try {
    const started: { readonly owner: string; readonly key: string; readonly id: string }[] = []
    for (const caller of OWNERS) {
      for (let n = 0; n < 10; n += 1) started.push({ owner: ownerOf(caller), key: `${caller.subject}:${n}`, id: (await tasks.start(caller, { name: 'work', args: { n } })).taskId })
    }
    const steady = script.start('work', place.file, JSON.stringify(LIMITS))
    const killed: ReturnType<Script['start']>[] = []
    for (let kill = 0; kill < kills; kill += 1) {
      const victim = script.start('work', place.file, JSON.stringify(LIMITS))
      killed.push(victim)
      const from = Date.now()
      while (victim.lines().length < 3 && Date.now() - from < 3_000) await new Promise((resolve) => setTimeout(resolve, 1))
      victim.child.kill('SIGKILL')
      await victim.ended
    }
    const open = async (): Promise<number> => (await Promise.all(OWNERS.map((caller) => tasks.list(ownerOf(caller))))).flat().filter(({ status }) => status === 'working').length
    while ((await open()) > 0) await new Promise((resolve) => setTimeout(resolve, 50))
    steady.child.kill('SIGKILL')
    await steady.ended
    for (const { owner, key, id } of started) expect([key, await tasks.get(owner, id)]).toMatchObject([key, { status: 'completed', result: { n: Number(key.split(':')[1]) } }])
    const lines = [steady, ...killed].flatMap((each) => each.lines())
    // What was begun twice was begun by a process that was killed before it could tell.
    const twice = started.filter(({ key }) => lines.filter((line) => line === `begun ${key}`).length > 1)
    const cut = new Set(killed.flatMap((each) => each.lines()).filter((line) => line.startsWith('begun ')).map((line) => line.slice('begun '.length)))
    expect(twice.filter(({ key }) => !cut.has(key))).toEqual([])
    expect(lines.filter((line) => line.startsWith('fault'))).toEqual([])
  } finally {
    await place.remove()
  }
}
