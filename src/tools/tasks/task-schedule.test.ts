import { expect, it } from 'vitest'
import { callers, fieldsOf } from './tasks.fixture.ts'

it('fires a repeated timer at every multiple of its interval, each once', async () => {
  const { alice, clock, app } = callers()
  let { taskId } = fieldsOf(await alice('task_schedule', { delay_seconds: 10, repeat_seconds: 60, payload: { n: 1 } }))
  clock.pass(10_000)
  for (let round = 0; round < 3; round += 1) {
    const { status, result } = fieldsOf(await alice('task_get', { task_id: taskId })) as { status: string; result: { payload: object; due_at: string; fired_at: string; next_task_id: string } }
    expect([status, result.payload, result.due_at]).toEqual(['completed', { n: 1 }, result.fired_at])
    taskId = result.next_task_id
    expect(fieldsOf(await alice('task_get', { task_id: taskId }))).toMatchObject({ status: 'scheduled' })
    clock.pass(60_000)
  }
  await app.close()
})

it('fires what was missed once, late, and skips the repeats in between', async () => {
  const { alice, clock, app } = callers()
  const { taskId } = fieldsOf(await alice('task_schedule', { delay_seconds: 60, repeat_seconds: 60 }))
  const start = clock.now()
  clock.pass(5 * 60_000 + 30_000)
  const fired = fieldsOf(await alice('task_get', { task_id: taskId }))['result'] as { due_at: string; fired_at: string }
  expect([Date.parse(fired.due_at) - start, Date.parse(fired.fired_at) - start]).toEqual([60_000, 330_000])
  const { tasks } = fieldsOf(await alice('task_list')) as { tasks: { taskId: string; status: string }[] }
  expect(tasks.map(({ status }) => status).sort()).toEqual(['completed', 'scheduled'])
  clock.pass(30_000)
  const next = tasks.find(({ status }) => status === 'scheduled')?.taskId
  expect(fieldsOf(await alice('task_get', { task_id: next }))).toMatchObject({ status: 'completed', result: { due_at: new Date(start + 360_000).toISOString() } })
  await app.close()
})

it.each([
  [{ delay_seconds: 86_401 }, 'input.invalid'],
  [{ delay_seconds: -1 }, 'input.invalid'],
  [{ delay_seconds: Number.POSITIVE_INFINITY }, 'input.invalid'],
  [{ delay_seconds: 1, repeat_seconds: 59 }, 'input.invalid'],
  [{ delay_seconds: 1, repeat_seconds: 1e12 }, 'input.invalid'],
  [{ delay_seconds: 1, payload: { long: 'x'.repeat(16_384) } }, 'content.too-large'],
])('refuses %j', async (args, code) => {
  expect(await callers().alice('task_schedule', args)).toMatchObject({ refusal: { code } })
})

it('holds the number of pending timers, for each caller apart', async () => {
  const { alice, bob, clock, app } = callers({ taskScheduleMaxPerOwner: 3 })
  for (let index = 0; index < 3; index += 1) expect(await alice('task_schedule', { delay_seconds: 60 })).toMatchObject({ is: 'ok' })
  expect(await alice('task_schedule', { delay_seconds: 60 })).toMatchObject({ refusal: { code: 'task.full' } })
  expect(await bob('task_schedule', { delay_seconds: 60 })).toMatchObject({ is: 'ok' })
  clock.pass(60_000)
  expect(await alice('task_schedule', { delay_seconds: 60 })).toMatchObject({ is: 'ok' })
  await app.close()
})
