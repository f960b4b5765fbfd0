/** What every place that tasks and timers are kept in does. */

import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { principal } from '../../src/kernel/caller.ts'
import { ownerOf } from '../../src/kernel/owner.ts'
import type { Tasks } from '../../src/kernel/ports/tasks.ts'
import type { OpenTasks, TaskLimits } from '../../src/services/tasks/index.ts'
import { testClock } from '../../src/testing/index.ts'
import type { TestClock } from '../../src/testing/index.ts'

export interface TasksWorld {
  /** Another process over the same tasks. */
  open(limits: TaskLimits, clock: TestClock): OpenTasks
  remove(): Promise<void>
}

const LIMITS: TaskLimits = { maxDelaySeconds: 1_000, minRepeatSeconds: 5, maxTimers: 4, maxPayloadBytes: 100 }
const [alice, bob] = [principal('alice', new Set()), principal('bob', new Set())]
const [ofAlice, ofBob] = [ownerOf(alice), ownerOf(bob)]
const refusedAs = (code: string) => expect.objectContaining({ name: 'Refusal', code })

export function tasksContract(name: string, makeWorld: () => Promise<TasksWorld>): void {
  describe(`tasks ${name}`, () => {
    let world: TasksWorld
    let clock: TestClock
    let opened: OpenTasks[] = []
    let tasks: Tasks
    const open = (): Tasks => {
      const made = world.open(LIMITS, clock)
      opened.push(made)
      return made.tasks
    }
    const timer = (delaySeconds: number, repeatSeconds = 0, payload = {}) => tasks.schedule(alice, { delaySeconds, repeatSeconds, payload })
    beforeEach(async () => {
      world = await makeWorld()
      clock = testClock()
      tasks = open()
    })
    afterEach(async () => {
      for (const each of opened) await each.close()
      opened = []
      await world.remove()
    })

    it('keep a timer until it is due, and then what it was to say', async () => {
      const { taskId } = await timer(10, 0, { note: 'né\u{1F600}' })
      expect(await tasks.get(ofAlice, taskId)).toMatchObject({ status: 'scheduled', kind: 'timer', createdMs: clock.now() })
      clock.pass(9_999)
      expect((await tasks.get(ofAlice, taskId))?.status).toBe('scheduled')
      clock.pass(1)
      expect(await tasks.get(ofAlice, taskId)).toMatchObject({ status: 'completed', result: { payload: { note: 'né\u{1F600}' } } })
    })

    it('repeat a timer, and skip what nobody was there for', async () => {
      const { taskId } = await timer(10, 10)
      clock.pass(45_000)
      const first = await tasks.get(ofAlice, taskId)
      expect(first).toMatchObject({ status: 'completed', result: { next_task_id: expect.any(String) } })
      const all = await tasks.list(ofAlice)
      expect(all.map(({ status }) => status).sort()).toEqual(['completed', 'scheduled'])
      clock.pass(5_000)
      expect((await tasks.list(ofAlice)).map(({ status }) => status).sort()).toEqual(['completed', 'completed', 'scheduled'])
    })

    it('end a timer with all its repeats, whichever of them is named', async () => {
      const { taskId } = await timer(10, 10)
      clock.pass(10_000)
      await tasks.get(ofAlice, taskId)
      expect((await tasks.cancel(ofAlice, taskId))?.status).toBe('completed')
      clock.pass(100_000)
      expect((await tasks.list(ofAlice)).map(({ status }) => status).sort()).toEqual(['cancelled', 'completed'])
    })

    it('of another owner are not there', async () => {
      const { taskId } = await timer(10)
      for (const owner of [ofBob, '', '*', "' OR 1=1 --", 'ALICE']) {
        expect(await tasks.get(owner, taskId)).toBeUndefined()
        expect(await tasks.cancel(owner, taskId)).toBeUndefined()
        expect(await tasks.answer(owner, taskId, {})).toBeUndefined()
        expect(await tasks.list(owner)).toEqual([])
      }
      expect((await tasks.get(ofAlice, taskId))?.status).toBe('scheduled')
      for (const id of ['', '%', '\0', `${taskId}\0x`, "' OR 1=1 --", 'x'.repeat(5_000)]) expect(await tasks.get(ofAlice, id)).toBeUndefined()
    })

    it('hold as many timers of one owner as there may be, exactly, however many ask at once through two processes', async () => {
      const both = [tasks, open()]
      const outcomes = await Promise.allSettled(Array.from({ length: 12 }, (_, n) => (both[n % 2] ?? tasks).schedule(alice, { delaySeconds: 60, repeatSeconds: 0, payload: { n } })))
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(4)
      expect(outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))).toEqual(Array(8).fill(refusedAs('task.full')))
      await expect(tasks.schedule(bob, { delaySeconds: 60, repeatSeconds: 0, payload: {} })).resolves.toBeDefined()
      expect(await tasks.list(ofAlice)).toHaveLength(4)
    })

    it.each([[-1, 0], [1_001, 0], [Number.NaN, 0], [1, 4], [1, 1_001], [1, Number.NaN]])('refuse a delay of %d seconds with a repeat of %d', async (delaySeconds, repeatSeconds) => {
      await expect(timer(delaySeconds, repeatSeconds)).rejects.toEqual(refusedAs('input.invalid'))
      expect(await tasks.list(ofAlice)).toEqual([])
    })

    it('refuse a payload that is too large, to the byte', async () => {
      await expect(timer(1, 0, { a: 'x'.repeat(93) })).rejects.toEqual(refusedAs('content.too-large'))
      await expect(timer(1, 0, { a: 'x'.repeat(92) })).resolves.toBeDefined()
    })

    it('hold twenty pieces of unfinished work of one owner, and end what is cancelled', async () => {
      const work = { name: 'scan_corpus_async', args: { prefix: '' } }
      const ids: string[] = []
      for (let n = 0; n < 20; n += 1) ids.push((await tasks.start(alice, work)).taskId)
      await expect(tasks.start(alice, work)).rejects.toEqual(refusedAs('task.full'))
      expect(await tasks.cancel(ofAlice, ids[0] ?? '')).toMatchObject({ status: 'cancelled', kind: 'scan_corpus_async' })
      await expect(tasks.start(alice, work)).resolves.toMatchObject({ status: 'working' })
      expect(new Set(ids).size).toBe(20)
    })

    it('are the same for every process, oldest first, and outlive all of them', async () => {
      const first = await timer(100, 0, { n: 1 })
      clock.pass(1)
      const other = open()
      const second = await other.schedule(alice, { delaySeconds: 50, repeatSeconds: 0, payload: { n: 2 } })
      for (const each of opened) await each.close()
      opened = []
      expect((await open().list(ofAlice)).map(({ taskId }) => taskId)).toEqual([first.taskId, second.taskId])
    })
  })
}
