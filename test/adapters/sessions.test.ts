/** The adapters of sessions, held to one contract. */

import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openDatabase } from '../../src/exits/disk/database.ts'
import { newId } from '../../src/exits/random.ts'
import { createMemorySessions, createSqliteSessions } from '../../src/services/sessions/index.ts'
import type { OpenSessions, SessionLimits } from '../../src/services/sessions/index.ts'
import { testClock } from '../../src/testing/index.ts'
import { sessionsContract } from './sessions.contract.ts'

sessionsContract('in memory', () => {
  const clock = testClock()
  return { open: (limits?: SessionLimits) => createMemorySessions(clock, newId, limits), pass: clock.pass, remove: () => {} }
})

const makeWorld = () => {
  const base = mkdtempSync(join(tmpdir(), 'arrowhead-sessions-'))
  const file = join(base, 'data', 'sessions.sqlite')
  const [clock, opened] = [testClock(), new Set<OpenSessions>()]
  return {
    file,
    pass: clock.pass,
    open(limits?: SessionLimits): OpenSessions {
      const sessions = createSqliteSessions(() => openDatabase(file), clock, limits)
      opened.add(sessions)
      return sessions
    },
    remove() {
      for (const sessions of opened) sessions.close()
      rmSync(base, { recursive: true, force: true })
    },
  }
}

sessionsContract('in a database', makeWorld)

it('a session outlives its process, in a file for its owner alone that does not name the workspace', async () => {
  const world = makeWorld()
  const first = world.open()
  const id = await first.open('/home/somebody/project', 'Why?')
  await first.append('/home/somebody/project', id, { kind: 'asked', text: 'Why?', at: 1 })
  first.close()
  expect(await world.open().read('/home/somebody/project', id, 10)).toHaveLength(1)
  expect(statSync(world.file).mode & 0o077).toBe(0)
  expect(readFileSync(world.file, 'latin1')).not.toContain('somebody')
  world.remove()
})

it('two that are open at once add to one session', async () => {
  const world = makeWorld()
  const [one, other] = [world.open(), world.open()]
  const id = await one.open('/w', 'x')
  for (let at = 0; at < 10; at += 1) await (at % 2 === 0 ? one : other).append('/w', id, { kind: 'asked', text: String(at), at })
  expect((await one.read('/w', id, 100))?.map(({ at }) => at)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  world.remove()
})
