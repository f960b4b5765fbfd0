import { expect, it } from 'vitest'
import { callers, fieldsOf } from './tasks.fixture.ts'

it('answers what is foreign and what was never there with one refusal', async () => {
  const { alice, bob, app } = callers()
  const { taskId } = fieldsOf(await alice('task_schedule', { delay_seconds: 60 }))
  const [foreign, missing] = [await bob('task_get', { task_id: taskId }), await bob('task_get', { task_id: 'never' })]
  expect(foreign).toMatchObject({ refusal: { code: 'task.missing' } })
  expect(missing).toEqual(foreign)
  expect(fieldsOf(await alice('task_get', { task_id: taskId }))).toMatchObject({ taskId, status: 'scheduled', result: null, error: null })
  await app.close()
})

it.each([{ task_id: { $ne: null } }, { task_id: '' }, {}, { task_id: 'x', owner: 'alice' }])('refuses %j', async (args) => {
  expect(await callers().bob('task_get', args)).toMatchObject({ refusal: { code: 'input.invalid' } })
})

it('tells a timer fired as soon as it is due', async () => {
  const { alice, clock, app } = callers()
  const { taskId } = fieldsOf(await alice('task_schedule', { delay_seconds: 60, payload: { note: 'check\u202e the build' } }))
  clock.pass(59_999)
  expect(fieldsOf(await alice('task_get', { task_id: taskId }))).toMatchObject({ status: 'scheduled' })
  clock.pass(1)
  expect(fieldsOf(await alice('task_get', { task_id: taskId }))).toMatchObject({ status: 'completed', result: { payload: { note: 'check the build' } } })
  await app.close()
})
