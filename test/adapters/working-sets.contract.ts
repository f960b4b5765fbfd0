/** What every adapter of the `WorkingSets` port does. */

import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { PinnedItem, WorkingSets } from '../../src/kernel/ports/working-sets.ts'
import type { WorkingSetLimits } from '../../src/services/working-sets/index.ts'

/** One empty store. */
export interface WorkingSetWorld {
  open(limits: WorkingSetLimits): WorkingSets
  remove(): Promise<void>
}

export const ROOMY: WorkingSetLimits = { maxSets: 3, maxItems: 4, maxAllSets: 100, maxAllItems: 1_000 }

const file = (identifier: string, note = ''): PinnedItem => ({ kind: 'repo_file', identifier, note })
const doc = (identifier: string, note = ''): PinnedItem => ({ kind: 'doc', identifier, note })
const refusedAs = (code: string) => expect.objectContaining({ name: 'Refusal', code })

/** Names that a careless store would take for one another, or for something of its own. */
const OWNERS = ['alice', 'alice-2', 'ALICE', 'alice ', 'ali', '', '*', '%', 'user|with:odd/characters', '../alice', 'constructor', '__proto__', 'alice\0x', "a'; DROP TABLE working_sets; --", '\ud800', '\ufffd']
const NAMES = ['bug', 'bug-2', 'BUG', 'constructor', '__proto__', 'a/b', '%', "x' OR '1'='1"]

export function workingSetsContract(name: string, makeWorld: () => Promise<WorkingSetWorld>): void {
  describe(`working sets ${name}`, () => {
    let world: WorkingSetWorld
    let sets: WorkingSets
    beforeEach(async () => {
      world = await makeWorld()
      sets = world.open(ROOMY)
    })
    afterEach(() => world.remove())

    it('keep items in the order of their first pin, each once, with the newest note', async () => {
      await sets.pin('alice', 'bug', [file('b.ts', 'first'), doc('a.md')])
      const set = await sets.pin('alice', 'bug', [file('b.ts', 'second'), doc('b.ts')])
      expect(set).toEqual({ name: 'bug', items: [file('b.ts', 'second'), doc('a.md'), doc('b.ts')] })
      expect(await sets.get('alice', 'bug')).toEqual(set)
    })

    it('lose what is unpinned, and nothing else', async () => {
      await sets.pin('alice', 'bug', [file('a'), doc('a'), file('b')])
      expect(await sets.unpin('alice', 'bug', [file('a'), file('not there')])).toEqual({ name: 'bug', items: [doc('a'), file('b')] })
      expect((await sets.get('alice', 'bug')).items).toEqual([doc('a'), file('b')])
    })

    it('are empty when they were cleared, and still there', async () => {
      await sets.pin('alice', 'bug', [file('a')])
      expect(await sets.clear('alice', 'bug')).toEqual({ name: 'bug', items: [] })
      expect(await sets.get('alice', 'bug')).toEqual({ name: 'bug', items: [] })
    })

    it.each(['get', 'unpin', 'clear'] as const)('that do not exist refuse %s', async (how) => {
      await expect(how === 'unpin' ? sets.unpin('alice', 'bug', []) : sets[how]('alice', 'bug')).rejects.toEqual(refusedAs('workingset.missing'))
    })

    it('of another owner read as those that do not exist, word for word, and cannot be changed', async () => {
      await sets.pin('alice', 'bug', [file('secret.ts', 'why')])
      const answers = await Promise.all([sets.get('bob', 'bug'), sets.get('bob', 'nothing'), sets.unpin('bob', 'bug', [file('secret.ts')]), sets.clear('bob', 'bug')].map((one) => one.catch((error: unknown) => error)))
      const said = answers.map((error) => JSON.stringify(error, Object.getOwnPropertyNames(error).filter((key) => key !== 'stack')))
      expect(new Set(said).size).toBe(1)
      await sets.pin('bob', 'bug', [file('own.ts')])
      expect((await sets.get('alice', 'bug')).items).toEqual([file('secret.ts', 'why')])
    })

    it('never meet, however alike their owners and names are', async () => {
      sets = world.open({ ...ROOMY, maxSets: 100, maxAllSets: 1_000 })
      const all = OWNERS.flatMap((owner) => NAMES.map((one) => [owner, one] as const))
      for (const [index, [owner, one]] of all.entries()) await sets.pin(owner, one, [file(`f${index}`)])
      for (const [index, [owner, one]] of all.entries()) expect([owner, one, (await sets.get(owner, one)).items]).toEqual([owner, one, [file(`f${index}`)]])
    })

    it.each(['bug\0x', 'bug\ud800'])('refuse a name that no store keeps as it is: %j', async (odd) => {
      await sets.pin('alice', 'bug', [file('a')])
      await expect(sets.pin('alice', odd, [])).rejects.toEqual(refusedAs('input.invalid'))
      await expect(sets.get('alice', odd)).rejects.toEqual(refusedAs('workingset.missing'))
      await expect(sets.pin('alice', 'bug', [file(odd)])).rejects.toEqual(refusedAs('input.invalid'))
      await expect(sets.pin('alice', 'bug', [file('a', odd)])).rejects.toEqual(refusedAs('input.invalid'))
    })

    it('hold no more items than the limit; what is too much leaves nothing behind', async () => {
      await sets.pin('alice', 'bug', [file('1'), file('2'), file('3')])
      await expect(sets.pin('alice', 'bug', [file('1', 'new note'), file('4'), file('5')])).rejects.toEqual(refusedAs('workingset.full'))
      expect((await sets.get('alice', 'bug')).items).toEqual([file('1'), file('2'), file('3')])
      await expect(sets.pin('alice', 'other', [1, 2, 3, 4, 5].map((index) => file(`${index}`)))).rejects.toEqual(refusedAs('workingset.full'))
      await expect(sets.get('alice', 'other')).rejects.toEqual(refusedAs('workingset.missing'))
      expect((await sets.pin('alice', 'bug', [file('1'), file('4')])).items).toHaveLength(4)
    })

    it('are no more than the limit for one owner, whatever others keep; an empty one makes room', async () => {
      for (const one of ['a', 'b', 'c']) await sets.pin('alice', one, [file('x')])
      await expect(sets.pin('alice', 'd', [file('x')])).rejects.toEqual(refusedAs('workingset.full'))
      await sets.pin('bob', 'd', [file('x')])
      await sets.clear('alice', 'b')
      await sets.pin('alice', 'd', [file('x')])
      await expect(sets.get('alice', 'b')).rejects.toEqual(refusedAs('workingset.missing'))
      expect((await sets.get('alice', 'a')).items).toEqual([file('x')])
    })

    it('are bounded for all owners together by their number', async () => {
      sets = world.open({ ...ROOMY, maxAllSets: 2 })
      await sets.pin('alice', 'a', [file('x')])
      await sets.pin('bob', 'a', [file('x')])
      await expect(sets.pin('carol', 'a', [file('x')])).rejects.toEqual(refusedAs('workingset.full'))
    })

    it('are bounded for all owners together by their items', async () => {
      const few = world.open({ ...ROOMY, maxAllItems: 1 })
      await few.pin('alice', 'a', [file('y')])
      await expect(few.pin('bob', 'a', [file('y')])).rejects.toEqual(refusedAs('workingset.full'))
      await few.unpin('alice', 'a', [file('y')])
      await few.pin('bob', 'a', [file('y')])
    })

    it('do what a plain list would, whatever is done to them', async () => {
      const ref = fc.tuple(fc.constantFrom('doc', 'repo_file'), fc.constantFrom('a', 'b', 'c', 'd', 'e')).map(([kind, identifier]) => ({ kind: kind as PinnedItem['kind'], identifier, note: '' }))
      const step = fc.record({ owner: fc.constantFrom('alice', 'bob'), name: fc.constantFrom('s', 't'), how: fc.constantFrom('pin', 'unpin', 'clear'), items: fc.array(ref, { maxLength: 3 }) })
      await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 12 }), fc.uuid(), async (steps, run) => {
        const model = new Map<string, PinnedItem[]>()
        sets = world.open({ maxSets: 10, maxItems: 4, maxAllSets: 100_000, maxAllItems: 100_000 })
        for (const { owner, name: set, how, items } of steps) {
          const key = `${owner} ${set}`
          const [old, same] = [model.get(key), (item: PinnedItem) => (other: PinnedItem) => other.kind === item.kind && other.identifier === item.identifier]
          const next = how === 'pin' ? items.reduce((list, item) => (list.some(same(item)) ? list : list.concat(item)), old ?? []) : how === 'clear' ? [] : old?.filter((one) => !items.some(same(one)))
          const done = how === 'clear' ? sets.clear(owner + run, set) : sets[how as 'pin' | 'unpin'](owner + run, set, items)
          if ((old === undefined && how !== 'pin') || (next?.length ?? 0) > 4) await expect(done).rejects.toEqual(refusedAs(old === undefined && how !== 'pin' ? 'workingset.missing' : 'workingset.full'))
          else expect((await done).items).toEqual(model.set(key, next ?? []).get(key))
        }
      }), { numRuns: 40 })
    })
  })
}
