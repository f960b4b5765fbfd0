/** Processes that use one memory: more of them, and more operations. */

import { afterAll, afterEach, beforeAll, it } from 'vitest'
import { buildUsers, fillServerTogether, fillTogether, killUsers, useServerTogether, useTogether } from './memory-processes.ts'
import type { MemoryUsers } from './memory-processes.ts'
import { onServer } from './state-server.ts'

let users: MemoryUsers
beforeAll(async () => {
  users = await buildUsers()
})
afterAll(() => users.remove())

it('eight processes with 1,000 mixed operations each lose no update of each other', () => useTogether(users, 8, 1_000))

it('eight processes with 1,000 operations each fill one memory exactly', () => fillTogether(users, 8, 1_000))

it('a process that is killed 100 times while it writes leaves whole memories and exact sums', () => killUsers(users, 100))

onServer('one memory', (server) => {
  const here = () => ({ dsn: server.dsn(), store: server.store() })
  afterEach(() => server.clear())

  it('eight processes with 1,000 mixed operations each lose no update of each other', () => useServerTogether(users, here(), { processes: 8, count: 1000 }))

  it('eight processes fill it exactly', () => fillServerTogether(users, here(), { processes: 8, count: 1000 }))
})
