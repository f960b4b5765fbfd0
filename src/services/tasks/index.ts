/** Tasks and timers, durable in SQLite, and the worker that does them. */

import type { Clock } from '../../kernel/clock.ts'
import type { Tasks } from '../../kernel/ports/tasks.ts'
import { createRegistry } from './registry.ts'
import type { TaskLimits } from './registry.ts'
import { TaskStore } from './task-store.ts'
import { Worker } from './worker.ts'
import type { Ways } from './worker.ts'

export type { TaskLimits } from './registry.ts'
export type { Ways } from './worker.ts'

export interface TasksOptions {
  /** SQLite file of every process that shares these tasks. */
  readonly file: string
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

const LEASE_MS = 15_000
const POLL_MS = 2_000

/** Opens nothing before the first use. */
export function createTasks({ file, limits, place, clock, onFault, leaseMs = LEASE_MS, pollMs = POLL_MS }: TasksOptions): OpenTasks {
  const store = new TaskStore(file)
  const worker = new Worker({ store, place, clock, leaseMs, pollMs, onFault })
  const tasks = createRegistry({ store, limits, place, clock, onNew: () => worker.kick(), onCancel: (id) => worker.cancel(id) })
  return {
    tasks,
    begin: (ways) => worker.begin(ways),
    async close() {
      await worker.close()
      store.close()
    },
  }
}
