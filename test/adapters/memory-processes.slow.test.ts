/** A small part of `memory-processes.soak.test.ts`. */

import { afterAll, afterEach, beforeAll, it } from 'vitest'
import { buildUsers, fillServerTogether, fillTogether, killUsers, useServerTogether, useTogether } from './memory-processes.ts'
import type { MemoryUsers } from './memory-processes.ts'
import { onServer } from './state-server.ts'

let users: MemoryUsers
beforeAll(async () => {
  users = await buildUsers()
})
afterAll(() => users.remove())

it('three processes that use one memory lose no update of each other', () => useTogether(users, 3, 160), 120_000)

it('three processes fill one memory exactly', () => fillTogether(users, 3, 160), 120_000)

it('a process that is killed while it writes leaves whole memories and exact sums', () => killUsers(users, 3), 120_000)

onServer('one memory', (server) => {
  const here = () => ({ dsn: server.dsn(), store: server.store() })
  afterEach(() => server.clear())

  it('two processes with 200 mixed operations each lose no update of each other', () => useServerTogether(users, here(), { processes: 2, count: 200 }))

  it('two processes fill it exactly', () => fillServerTogether(users, here(), { processes: 2, count: 200 }))
})
