/** Opens tasks and timers, and tells their worker how to call. Loaded by the first task and not by the start. */

import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Settings } from '../config/index.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Bus } from '../kernel/ports/bus.ts'
import type { Store } from '../kernel/ports/store.ts'
import type { Tasks } from '../kernel/ports/tasks.ts'
import type { Log } from './ports.ts'
import type { OpenTasks, TaskLimits, Ways } from '../services/tasks/index.ts'

const FILE = 'tasks.sqlite'
const LOOK_MS = 2_000

const limitsOf = (settings: Settings): TaskLimits => ({
  maxDelaySeconds: settings.taskScheduleMaxDelaySeconds,
  minRepeatSeconds: settings.taskScheduleMinRepeatSeconds,
  maxTimers: settings.taskScheduleMaxPerOwner,
  maxPayloadBytes: settings.taskPayloadMaxBytes,
})

/** What the paths in a call are relative to. */
const placeOf = ({ jailRoot, docsRoot, repoRoot }: Settings): string =>
  createHash('sha256').update(JSON.stringify([jailRoot, docsRoot, repoRoot].map((root) => root && resolve(root)))).digest('hex')

export interface TasksParts {
  readonly settings: Settings
  readonly clock: Clock
  /** Undefined keeps tasks for as long as this app lives. */
  readonly dataDir: string | undefined
  readonly log: Log | undefined
  /** The server that keeps tasks instead of the data directory. */
  readonly store?: Store | undefined
  readonly bus?: Bus | undefined
}

export function lazyTasks({ settings, clock, dataDir, log, store, bus }: TasksParts): OpenTasks {
  const onFault = (error: unknown): void => void log?.(JSON.stringify({ event: 'warning', problem: `tasks: ${String(error)}` }))
  let opened: Promise<OpenTasks> | undefined
  let ways: Ways | undefined
  let scratch: string | undefined
  let looking: NodeJS.Timeout | undefined
  const folder = (): string => dataDir ?? (scratch ??= mkdtempSync(join(tmpdir(), 'arrowhead-tasks-')))
  const load = async (): Promise<OpenTasks> => {
    const { createTasks } = await import('../services/tasks/index.ts')
    const made = createTasks({ at: store ?? join(folder(), FILE), bus, place: placeOf(settings), limits: limitsOf(settings), clock, onFault })
    if (ways) made.begin(ways)
    return made
  }
  const open = (): Promise<OpenTasks> => {
    clearInterval(looking)
    return (opened ??= load())
  }
  /** Tasks of earlier processes, or of ones that end before theirs are done. */
  const look = (): void => {
    if (store !== undefined || (dataDir !== undefined && existsSync(join(dataDir, FILE)))) void open().catch(onFault)
  }
  const tasks: Tasks = {
    start: async (caller, work) => (await open()).tasks.start(caller, work),
    schedule: async (caller, timer) => (await open()).tasks.schedule(caller, timer),
    get: async (owner, taskId) => (await open()).tasks.get(owner, taskId),
    cancel: async (owner, taskId) => (await open()).tasks.cancel(owner, taskId),
    answer: async (owner, taskId, replies) => (await open()).tasks.answer(owner, taskId, replies),
    list: async (owner) => (await open()).tasks.list(owner),
  }
  return {
    tasks,
    begin(given) {
      ways = given
      if (store !== undefined || dataDir !== undefined) looking = setInterval(look, LOOK_MS).unref()
    },
    async close() {
      clearInterval(looking)
      await (await opened)?.close()
      if (scratch !== undefined) rmSync(scratch, { recursive: true, force: true })
    },
  }
}
