/** A small part of `task-processes.soak.test.ts`. */

import { afterAll, afterEach, beforeAll, it } from 'vitest'
import { buildTaskProcesses, fireTogether, workThroughKills } from './task-processes.ts'
import type { Script } from './processes.ts'
import { onServer } from './state-server.ts'

let script: Script
beforeAll(async () => {
  script = await buildTaskProcesses()
})
afterAll(() => script.remove())

it('two processes fire 50 timers, each once', () => fireTogether(script, 50), 60_000)

it('the work of 100 tasks is done, although a process is killed in the middle of it', () => workThroughKills(script, 1), 120_000)

onServer('tasks', (server) => {
  const here = () => ({ dsn: server.dsn(), store: server.store() })
  afterEach(() => server.clear())

  it('two processes fire 50 timers, each once', () => fireTogether(script, 50, here()), 60_000)

  it('the work of 100 tasks is done, although a process is killed in the middle of it', () => workThroughKills(script, 1, here()), 120_000)
})
