/** More timers, and more kills. */

import { afterAll, afterEach, beforeAll, it } from 'vitest'
import { buildTaskProcesses, fireTogether, workThroughKills } from './task-processes.ts'
import type { Script } from './processes.ts'
import { onServer } from './state-server.ts'

let script: Script
beforeAll(async () => {
  script = await buildTaskProcesses()
})
afterAll(() => script.remove())

it('two processes fire 1,000 timers, each once', () => fireTogether(script, 1_000))

it('the work of 100 tasks is done, although processes are killed in the middle of it ten times', () => workThroughKills(script, 10))

onServer('tasks', (server) => {
  const here = () => ({ dsn: server.dsn(), store: server.store() })
  afterEach(() => server.clear())

  it('two processes fire 1,000 timers, each once', () => fireTogether(script, 1_000, here()))

  it('the work of 100 tasks is done, although processes are killed in the middle of it ten times', () => workThroughKills(script, 10, here()))
})
