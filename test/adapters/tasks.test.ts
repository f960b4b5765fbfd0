/** The places that tasks are kept in, held to one contract; task-processes.soak.test.ts has many processes over each. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Store } from '../../src/kernel/ports/store.ts'
import { createTasks } from '../../src/services/tasks/index.ts'
import { onServer } from './state-server.ts'
import { tasksContract } from './tasks.contract.ts'
import type { TasksWorld } from './tasks.contract.ts'

const over = (at: () => string | Store): TasksWorld['open'] => (limits, clock) =>
  createTasks({ at: at(), limits, clock, place: 'here', onFault: (error) => expect(error).toBeUndefined() })

onServer('tasks', (server) => {
  tasksContract('on a server', async () => ({ open: over(() => server.store()), remove: () => server.clear() }))
})

tasksContract('in a database', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'arrowhead-tasks-'))
  return { open: over(() => join(folder, 'tasks.sqlite')), remove: async () => rmSync(folder, { recursive: true, force: true }) }
})
