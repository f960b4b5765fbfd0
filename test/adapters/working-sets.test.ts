/** The adapters of working sets, held to one contract. */

import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openDatabase } from '../../src/exits/disk/database.ts'
import { createMemorySets, createServerSets, createSqliteSets } from '../../src/services/working-sets/index.ts'
import type { OpenWorkingSets, WorkingSetLimits } from '../../src/services/working-sets/index.ts'
import { onServer } from './state-server.ts'
import { ROOMY, workingSetsContract } from './working-sets.contract.ts'

onServer('working sets', (server) => {
  workingSetsContract('on a server', async () => ({ open: (limits) => createServerSets(server.store(), limits), remove: () => server.clear() }))
})

workingSetsContract('in memory', async () => ({ open: createMemorySets, remove: async () => undefined }))

const makeWorld = async () => {
  const base = mkdtempSync(join(tmpdir(), 'arrowhead-sets-'))
  const file = join(base, 'working-sets.sqlite')
  const opened: OpenWorkingSets[] = []
  return {
    file,
    open(limits: WorkingSetLimits): OpenWorkingSets {
      const sets = createSqliteSets(() => openDatabase(file), limits)
      opened.push(sets)
      return sets
    },
    async remove() {
      for (const sets of opened) await sets.close()
      rmSync(base, { recursive: true, force: true })
    },
  }
}

workingSetsContract('in a database', makeWorld)

it('a set outlives the process that made it, in a file that nobody else may read', async () => {
  const world = await makeWorld()
  const first = world.open(ROOMY)
  await first.pin('alice', 'bug', [{ kind: 'doc', identifier: 'a.md', note: 'n' }])
  await first.close()
  expect(await world.open(ROOMY).get('alice', 'bug')).toEqual({ name: 'bug', items: [{ kind: 'doc', identifier: 'a.md', note: 'n' }] })
  expect(statSync(world.file).mode & 0o077).toBe(0)
  await world.remove()
})

it('two that are open at once see one another, and share their bounds', async () => {
  const world = await makeWorld()
  const [one, other] = [world.open(ROOMY), world.open(ROOMY)]
  for (const name of ['a', 'b']) await one.pin('alice', name, [{ kind: 'doc', identifier: 'a.md', note: '' }])
  await other.pin('alice', 'c', [])
  await expect(one.pin('alice', 'd', [{ kind: 'doc', identifier: 'a.md', note: '' }])).resolves.toBeDefined()
  await expect(other.pin('alice', 'e', [])).rejects.toMatchObject({ code: 'workingset.full' })
  await world.remove()
})

it('a file that was taken away is made anew', async () => {
  const world = await makeWorld()
  const sets = world.open(ROOMY)
  await sets.pin('alice', 'a', [])
  rmSync(world.file)
  await expect(sets.get('alice', 'a')).rejects.toMatchObject({ code: 'workingset.missing' })
  await world.remove()
})
