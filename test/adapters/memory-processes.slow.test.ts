/** A small part of `memory-processes.soak.test.ts`. */

import { afterAll, beforeAll, it } from 'vitest'
import { buildUsers, fillTogether, killUsers, useTogether } from './memory-processes.ts'
import type { MemoryUsers } from './memory-processes.ts'

let users: MemoryUsers
beforeAll(async () => {
  users = await buildUsers()
})
afterAll(() => users.remove())

it('three processes that use one memory lose no update of each other', () => useTogether(users, 3, 160), 120_000)

it('three processes fill one memory exactly', () => fillTogether(users, 3, 160), 120_000)

it('a process that is killed while it writes leaves whole memories and exact sums', () => killUsers(users, 3), 120_000)
