/** What every adapter of the `Sessions` port does. */

import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { SessionEntry, Sessions } from '../../src/kernel/ports/sessions.ts'
import type { SessionLimits } from '../../src/services/sessions/index.ts'

/** One empty store, over a clock that is told the time. */
export interface SessionWorld {
  open(limits?: SessionLimits): Sessions
  pass(ms: number): void
  remove(): void
}

const HERE = '/home/me/repo'
const FEW: SessionLimits = { maxSessions: 3, maxEntries: 4, maxChars: 100 }
const asked = (text: string, at = 1): SessionEntry => ({ kind: 'asked', text, at })

export function sessionsContract(name: string, makeWorld: () => SessionWorld): void {
  describe(`sessions ${name}`, () => {
    let world: SessionWorld
    let sessions: Sessions
    beforeEach(() => {
      world = makeWorld()
      sessions = world.open()
    })
    afterEach(() => world.remove())

    it('give back what was asked, answered and called, in its order', async () => {
      const id = await sessions.open(HERE, 'Why?')
      const said: readonly SessionEntry[] = [asked('Why?'), { kind: 'called', tool: 'grep', at: 2 }, { kind: 'answered', text: 'Because.', at: 3 }]
      for (const entry of said) await sessions.append(HERE, id, entry)
      expect(await sessions.read(HERE, id, 100)).toEqual(said)
      expect(await sessions.read(HERE, id, 2)).toEqual(said.slice(1))
    })

    it('have ids of a plain form that no two share', async () => {
      const ids = await Promise.all(Array.from({ length: 50 }, () => sessions.open(HERE, 'x')))
      expect(new Set(ids).size).toBe(50)
      for (const id of ids) expect(id).toMatch(/^[A-Za-z0-9._-]+$/)
    })

    it('are listed newest first, those of one moment too', async () => {
      const first = await sessions.open(HERE, 'first')
      world.pass(1_000)
      const [second, third] = [await sessions.open(HERE, 'second'), await sessions.open(HERE, 'third')]
      expect((await sessions.list(HERE, 10)).map(({ id }) => id)).toEqual([third, second, first])
      expect((await sessions.list(HERE, 2)).map(({ title }) => title)).toEqual(['third', 'second'])
    })

    it('have one line for a title, and not a long one', async () => {
      await sessions.open(HERE, `  Why\n\tdoes ${'x'.repeat(500)}`)
      const [{ title = '' } = {}] = await sessions.list(HERE, 1)
      expect(title).toMatch(/^Why does x+ \[cut\]$/)
      expect(title.length).toBeLessThanOrEqual(120)
    })

    it('of another workspace are not there, whatever it is named', async () => {
      const id = await sessions.open(HERE, 'mine')
      await sessions.append(HERE, id, asked('secret'))
      for (const other of ['/home/me/repo/', '/home/me/rep', '/home/me/repo2', '', '*', '%', "' OR 1=1 --", '/HOME/me/repo', '__proto__']) {
        expect(await sessions.list(other, 10)).toEqual([])
        expect(await sessions.read(other, id, 10)).toBeUndefined()
        await expect(async () => sessions.append(other, id, asked('x'))).rejects.toMatchObject({ code: 'session.missing' })
      }
    })

    it.each(['', '.', '..', '../x', 'a/b', 'a\\b', 'a\0b', 'constructor', '__proto__', '%', '*', 'x'.repeat(129), 'ä'])('that were never begun are not there: %j', async (id) => {
      await sessions.open(HERE, 'x')
      expect(await sessions.read(HERE, id, 10)).toBeUndefined()
      await expect(async () => sessions.append(HERE, id, asked('x'))).rejects.toMatchObject({ code: 'session.missing' })
    })

    it('keep long texts cut, and say so', async () => {
      sessions = world.open(FEW)
      const id = await sessions.open(HERE, 'x')
      await sessions.append(HERE, id, asked('a'.repeat(101)))
      const [entry] = (await sessions.read(HERE, id, 1)) ?? []
      expect(entry).toEqual(asked(`${'a'.repeat(94)} [cut]`))
    })

    it('have room for so many entries and no more', async () => {
      sessions = world.open(FEW)
      const id = await sessions.open(HERE, 'x')
      for (let entry = 0; entry < 4; entry += 1) await sessions.append(HERE, id, asked(String(entry)))
      await expect(async () => sessions.append(HERE, id, asked('5'))).rejects.toMatchObject({ code: 'session.full' })
      expect(await sessions.read(HERE, id, 10)).toHaveLength(4)
    })

    it('make room for new ones: the oldest of the same workspace goes', async () => {
      sessions = world.open(FEW)
      const other = await sessions.open('/other', 'kept')
      const ids: string[] = []
      for (let at = 0; at < 5; at += 1) {
        world.pass(1)
        ids.push(await sessions.open(HERE, String(at)))
      }
      expect((await sessions.list(HERE, 10)).map(({ title }) => title)).toEqual(['4', '3', '2'])
      expect(await sessions.read(HERE, ids[0] ?? '', 10)).toBeUndefined()
      expect(await sessions.read('/other', other, 10)).toEqual([])
    })

    it('give back any text that a store can keep', async () => {
      const id = await sessions.open(HERE, 'x')
      await fc.assert(fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 200 }), async (text) => {
        await sessions.append(HERE, id, asked(text))
        expect(await sessions.read(HERE, id, 1)).toEqual([asked(text.replace(/[\0\p{Cs}]/gu, '\ufffd'))])
      }), { numRuns: 100 })
    })
  })
}
