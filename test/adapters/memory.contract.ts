/** What every adapter of `Memories` and `KeyValues` does. */

import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { MemoryLimits, OpenMemory } from '../../src/services/memory/index.ts'
import { testClock } from '../../src/testing/index.ts'

/** One empty store. Everything that is opened in it sees the same, as other processes would. */
export interface MemoryWorld {
  open(limits: MemoryLimits, clock: { now(): number }): OpenMemory
  /** Everything that was opened is closed by then. */
  remove(): Promise<void>
}

export const LIMITS: MemoryLimits = {
  maxContentBytes: 1000, maxMetadataBytes: 100, maxEntriesPerNamespace: 20, maxNamespaces: 4, quotaBytes: 10_000, maxK: 10,
  maxKeys: 5, maxValueBytes: 500, maxTtlSeconds: 3600,
}

const refusedAs = (code: string) => expect.objectContaining({ name: 'Refusal', code })
const [ALICE, BOB] = ['s:alice', 's:bob']

export function memoryContract(name: string, makeWorld: () => Promise<MemoryWorld>): void {
  describe(`the memory ${name}`, () => {
    let world: MemoryWorld
    let opened: OpenMemory[] = []
    let one: OpenMemory
    const clock = testClock()
    const open = (limits: Partial<MemoryLimits> = {}): OpenMemory => {
      const made = world.open({ ...LIMITS, ...limits }, clock)
      opened.push(made)
      return made
    }
    const keep = (content: string, { id, namespace = 'notes', metadata = {}, owner = ALICE }: { id?: string; namespace?: string; metadata?: object; owner?: string } = {}) =>
      one.memories.store(owner, { namespace, content, metadata: { ...metadata }, id })
    const ask = async (query: string, { namespace = 'notes', k = 5, owner = ALICE } = {}) => (await one.memories.search(owner, { namespace, query, k })).hits
    const set = (key: string, value: string, ttlSeconds = 0, owner = ALICE) => one.keyValues.set(owner, { key, value, ttlSeconds })
    beforeEach(async () => {
      world = await makeWorld()
      one = open()
    })
    afterEach(async () => {
      for (const each of opened) await each.close()
      opened = []
      await world.remove()
    })

    it('keeps a memory, and lists it with its metadata and time', async () => {
      const { id, status } = await keep('prefers metric units', { metadata: { from: 'chat' } })
      expect(status).toBe('created')
      expect(await one.memories.list(ALICE, 'notes')).toEqual([{ id, metadata: { from: 'chat' }, createdMs: clock.now() }])
    })

    it('keeps the same content once in a namespace, and again in another', async () => {
      const first = await keep('the same')
      expect(await keep('the same', { metadata: { other: 1 } })).toEqual({ id: first.id, status: 'unchanged' })
      expect(await keep('the same', { namespace: 'elsewhere' })).toMatchObject({ status: 'created' })
      expect(await one.memories.list(ALICE, 'notes')).toHaveLength(1)
    })

    it('replaces a memory in place: found by the new words and no longer by the old', async () => {
      const { id } = await keep('prefers metric units')
      expect(await keep('prefers imperial measures', { id })).toEqual({ id, status: 'updated' })
      expect(await keep('prefers imperial measures', { id })).toEqual({ id, status: 'unchanged' })
      expect(await keep('prefers imperial measures', { id, metadata: { sure: true } })).toEqual({ id, status: 'updated' })
      expect(await ask('metric')).toEqual([])
      expect(await ask('imperial')).toMatchObject([{ id, metadata: { sure: true } }])
    })

    it('refuses a replacement that would say what another memory says, and one of what is not there', async () => {
      const { id } = await keep('one')
      await keep('two')
      await expect(keep('two', { id })).rejects.toEqual(refusedAs('memory.duplicate'))
      await expect(keep('three', { id: 'nowhere' })).rejects.toEqual(refusedAs('memory.missing'))
      await expect(keep('three', { id, namespace: 'elsewhere' })).rejects.toEqual(refusedAs('memory.missing'))
    })

    it('deletes a memory once', async () => {
      const { id } = await keep('gone soon')
      expect(await one.memories.remove(ALICE, 'elsewhere', id)).toBe(false)
      expect(await one.memories.remove(ALICE, 'notes', id)).toBe(true)
      expect(await one.memories.remove(ALICE, 'notes', id)).toBe(false)
      expect(await ask('gone')).toEqual([])
    })

    it('answers for another owner as if nothing were there', async () => {
      const { id } = await keep('a secret of alice')
      await set('token', 'alice only')
      const other = { owner: BOB }
      expect(await ask('secret', other)).toEqual(await ask('secret', { ...other, namespace: 'never' }))
      expect(await one.memories.list(BOB, 'notes')).toEqual(await one.memories.list(BOB, 'never'))
      expect(await one.memories.remove(BOB, 'notes', id)).toBe(await one.memories.remove(BOB, 'notes', 'never'))
      const [foreign, missing] = [keep('mine now', { ...other, id }), keep('mine now', { ...other, id: 'never' })].map((attempt) => attempt.catch((error: unknown) => error))
      expect(await foreign).toEqual(await missing)
      expect(await one.keyValues.get(BOB, 'token')).toBeUndefined()
      expect(await one.keyValues.remove(BOB, 'token')).toBe(false)
      expect(await ask('secret')).toMatchObject([{ id }])
    })

    it('does not let what others keep change how an owner is answered', async () => {
      await keep('red apples')
      await keep('green apples')
      const before = await ask('red apples')
      for (let index = 0; index < 15; index += 1) await keep(`red things ${index}`, { owner: BOB })
      expect(await ask('red apples')).toEqual(before)
    })

    it('tells owners apart whatever they are called', async () => {
      const owners = ['s:alice', 's:ALICE', 's:alice ', 's:../alice', 's:alice/..', 's:', 'local', 's:local', `s:${'x'.repeat(5000)}`, 's:\0']
      for (const [index, owner] of owners.entries()) await set('who', `${index}`, 0, owner)
      for (const [index, owner] of owners.entries()) expect(await one.keyValues.get(owner, 'who')).toMatchObject({ value: `${index}` })
    })

    it.each([
      ['another form of the word', 'She was running home', 'runs'],
      ['another case', 'STRASSE in Köln', 'köln'],
      ['no accent', 'a table in the café', 'cafe'],
      ['one word of two', 'the build is broken', 'broken windows'],
      ['Greek', 'η Αθήνα είναι όμορφη', 'αθηνα'],
      ['Russian', 'Москва не сразу строилась', 'москва'],
      ['Chinese', '我喜欢在北京喝茶', '北京'],
      ['Japanese', '東京タワーへ行きました', 'タワー'],
      ['Thai', 'ฉันชอบกินข้าวผัด', 'ข้าวผัด'],
      ['Hindi', 'मुझे चाय पसंद है', 'चाय'],
      ['full-width letters', 'the ＡＰＩ key', 'api'],
      ['a number', 'ticket 4711 is open', '4711'],
    ])('finds by %s', async (_how, content, query) => {
      await keep('something else entirely')
      const { id } = await keep(content)
      expect((await ask(query)).map((hit) => hit.id)).toEqual([id])
    })

    it('puts the rarer word and the shorter memory first', async () => {
      await keep('the red car and the red house and the red door of a very long street')
      const { id: both } = await keep('red zebra')
      const { id: short } = await keep('red')
      expect((await ask('red zebra')).map((hit) => hit.id).slice(0, 2)).toEqual([both, short])
    })

    it('tells the kind of search, and gives at most k', async () => {
      for (let index = 0; index < 12; index += 1) await keep(`note ${index}`)
      expect(await one.memories.search(ALICE, { namespace: 'notes', query: 'note', k: 10 })).toMatchObject({ recall: 'keyword', hits: { length: 10 } })
      await expect(ask('note', { k: 11 })).rejects.toEqual(refusedAs('input.invalid'))
      expect(await ask('?!')).toEqual([])
    })

    it('shows the part of a long memory that was found', async () => {
      const long = open({ maxContentBytes: 100_000, quotaBytes: 1_000_000 })
      await long.memories.store(ALICE, { namespace: 'long', content: `${'filler 😀 '.repeat(3000)}needle${' more'.repeat(2000)}`, metadata: {} })
      const { hits } = await long.memories.search(ALICE, { namespace: 'long', query: 'needle', k: 1 })
      expect(hits[0]?.snippet).toContain('needle')
      expect(hits[0]?.snippet.length).toBeLessThan(2_100)
      expect(hits[0]?.snippet).not.toMatch(/\p{Cs}/u)
    })

    it('holds every bound of memories', async () => {
      await expect(keep('x'.repeat(1001))).rejects.toEqual(refusedAs('content.too-large'))
      await expect(keep('é'.repeat(501))).rejects.toEqual(refusedAs('content.too-large'))
      await expect(keep('x', { metadata: { long: 'y'.repeat(100) } })).rejects.toEqual(refusedAs('content.too-large'))
      for (let index = 0; index < 20; index += 1) await keep(`memory ${index}`)
      await expect(keep('one too many')).rejects.toEqual(refusedAs('memory.full'))
      expect(await keep('memory 3')).toMatchObject({ status: 'unchanged' })
      for (const namespace of ['two', 'three', 'four']) await keep('x', { namespace })
      await expect(keep('x', { namespace: 'five' })).rejects.toEqual(refusedAs('memory.full'))
      const [last] = await one.memories.list(ALICE, 'two')
      await one.memories.remove(ALICE, 'two', last?.id ?? '')
      expect(await keep('x', { namespace: 'five' })).toMatchObject({ status: 'created' })
    })

    it('fills its bytes to the last one, memories and keys together, and not one more', async () => {
      // Metadata counts as its JSON, which is {} here.
      for (let index = 0; index < 9; index += 1) await keep(`${index}`.padEnd(998, '.'))
      await set('key', 'v'.repeat(497))
      await expect(keep('y'.repeat(499))).rejects.toEqual(refusedAs('memory.full'))
      expect(await keep('y'.repeat(498))).toMatchObject({ status: 'created' })
      await expect(set('k', '')).rejects.toEqual(refusedAs('memory.full'))
      expect(await keep('z', { owner: BOB })).toMatchObject({ status: 'created' })
      await expect(keep('a longer one'.padEnd(999, '.'), { id: (await one.memories.list(ALICE, 'notes'))[0]?.id ?? '' })).rejects.toEqual(refusedAs('memory.full'))
      expect(await ask('longer')).toEqual([])
    })

    it('sets, replaces and deletes a value under its exact key', async () => {
      expect(await set('run:42:state', 'phase1')).toEqual({ expiresMs: undefined })
      await set('run:42:state', 'phase2\0\u{1F600}\ufeff')
      expect(await one.keyValues.get(ALICE, 'run:42:state')).toEqual({ value: 'phase2\0\u{1F600}\ufeff', expiresMs: undefined })
      expect(await one.keyValues.get(ALICE, 'RUN:42:state')).toBeUndefined()
      expect(await one.keyValues.remove(ALICE, 'run:42:state')).toBe(true)
      expect(await one.keyValues.remove(ALICE, 'run:42:state')).toBe(false)
    })

    it('ends a value when its time is over, to the millisecond, and no longer counts it', async () => {
      const startMs = clock.now()
      expect(await set('short', 'v', 10)).toEqual({ expiresMs: startMs + 10_000 })
      for (const key of ['a', 'b', 'c', 'd']) await set(key, 'v', 10)
      await expect(set('sixth', 'v')).rejects.toEqual(refusedAs('memory.full'))
      clock.pass(9_999)
      expect(await one.keyValues.get(ALICE, 'short')).toMatchObject({ value: 'v' })
      clock.pass(1)
      expect(await one.keyValues.get(ALICE, 'short')).toBeUndefined()
      expect(await one.keyValues.remove(ALICE, 'a')).toBe(false)
      for (const key of ['1', '2', '3', '4', '5']) await set(key, 'v')
      await expect(set('6', 'v')).rejects.toEqual(refusedAs('memory.full'))
    })

    it('loses the end of a value with the next that has none', async () => {
      await set('key', 'v', 10)
      await set('key', 'w')
      clock.pass(20_000)
      expect(await one.keyValues.get(ALICE, 'key')).toEqual({ value: 'w', expiresMs: undefined })
    })

    it('holds every bound of keys', async () => {
      await expect(set('k', 'x'.repeat(501))).rejects.toEqual(refusedAs('content.too-large'))
      await expect(set('k', 'x', 3601)).rejects.toEqual(refusedAs('input.invalid'))
      for (const key of ['a', 'b', 'c', 'd', 'e']) await set(key, 'v')
      await expect(set('f', 'v')).rejects.toEqual(refusedAs('memory.full'))
      expect(await one.keyValues.get(ALICE, 'f')).toBeUndefined()
      await set('a', 'again')
    })

    it('shows one owner the same from everywhere, and after it was closed', async () => {
      const { id } = await keep('here to stay')
      await set('key', 'value')
      expect(await open().memories.list(ALICE, 'notes')).toMatchObject([{ id }])
      await one.close()
      one = open()
      expect(await ask('stay')).toMatchObject([{ id, snippet: 'here to stay' }])
      expect(await one.keyValues.get(ALICE, 'key')).toMatchObject({ value: 'value' })
    })

    it('keeps the quota exact when many write at once', async () => {
      const stores = [one, open(), open()]
      const attempts = Array.from({ length: 60 }, (_, index) =>
        stores[index % 3]?.keyValues.set(ALICE, { key: `k${index % 10}`, value: `${index}`, ttlSeconds: 0 }).then(() => 'ok', (error: { code: string }) => error.code))
      const ended = await Promise.all(attempts)
      expect(new Set(ended)).toEqual(new Set(['ok', 'memory.full']))
      const kept = await Promise.all(Array.from({ length: 10 }, (_, index) => one.keyValues.get(ALICE, `k${index}`)))
      expect(kept.filter((value) => value !== undefined)).toHaveLength(5)
    })

    it('does whatever a plain map would do, in any order of calls', async () => {
      const key = fc.constantFrom('a', 'b', 'c')
      const step = fc.oneof(
        fc.record({ op: fc.constant('set' as const), key, value: fc.string({ maxLength: 8 }) }),
        fc.record({ op: fc.constant('remove' as const), key, value: fc.constant('') }),
      )
      let run = 0
      await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const owner = `s:model-${run++}`
        const model = new Map<string, string>()
        for (const { op, key: at, value } of steps) {
          if (op === 'set') {
            await set(at, value, 0, owner)
            model.set(at, value.replace(/\p{Cs}/gu, '\ufffd'))
          } else expect(await one.keyValues.remove(owner, at)).toBe(model.delete(at))
        }
        for (const at of ['a', 'b', 'c']) expect((await one.keyValues.get(owner, at))?.value).toBe(model.get(at))
      }), { numRuns: 30 })
    })
  })
}
