/** Tasks and timers, durable in SQLite, and the worker that does them. */

import type { Clock } from '../../kernel/clock.ts'
import type { Tasks } from '../../kernel/ports/tasks.ts'
import { createRegistry } from './registry.ts'
import type { TaskLimits } from './registry.ts'
import { SqliteTasks, serverTasks } from './task-store.ts'
import type { Store } from '../../kernel/ports/store.ts'
import type { Bus } from '../../kernel/ports/bus.ts'
import { Worker } from './worker.ts'
import type { Ways } from './worker.ts'

export type { TaskLimits } from './registry.ts'
export type { Ways } from './worker.ts'

export interface TasksOptions {
  /** SQLite file of every process that shares these tasks, or the server that keeps them. */
  readonly at: string | Store
  /** Tells the other processes that there is something to do. */
  readonly bus?: Bus | undefined
  readonly limits: TaskLimits
  /** Names what this process serves; work is done only where the same is served. */
  readonly place: string
  readonly clock: Pick<Clock, 'now'>
  readonly onFault: (error: unknown) => void
  /** @default 15 seconds */
  readonly leaseMs?: number
  /** @default 2 seconds */
  readonly pollMs?: number
}

export interface OpenTasks {
  readonly tasks: Tasks
  /** From now on this process does what is due. */
  begin(ways: Ways): void
  close(): Promise<void>
}

/** What is said there: the id of work that was cancelled, or nothing where there is new work. */
const TOPIC = 'tasks'
/** Milliseconds after which work of a process that ended is taken up by another. */
export const LEASE_MS = 15_000
/** Milliseconds between two looks for what is due. */
export const POLL_MS = 2_000

/** Opens nothing before the first use. */
export function createTasks({ at, bus, limits, place, clock, onFault, leaseMs = LEASE_MS, pollMs = POLL_MS }: TasksOptions): OpenTasks {
  const store = typeof at === 'string' ? new SqliteTasks(at) : serverTasks(at)
  const worker = new Worker({ store, place, clock, leaseMs, pollMs, onFault })
  const stopHearing = bus?.subscribe(TOPIC, (message) => (message === '' ? worker.kick() : worker.cancel(message)))
  const tasks = createRegistry({
    store, limits, place, clock,
    onNew() {
      worker.kick()
      void bus?.publish(TOPIC, '')
    },
    onCancel(id) {
      worker.cancel(id)
      void bus?.publish(TOPIC, id)
    },
  })
  return {
    tasks,
    begin: (ways) => worker.begin(ways),
    async close() {
      stopHearing?.()
      await worker.close()
      await store.close()
    },
  }
}
