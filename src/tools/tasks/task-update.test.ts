import { expect, it } from 'vitest'
import { callers, fieldsOf, until } from './tasks.fixture.ts'

it('stops work that runs', async () => {
  const { alice, scan, app } = callers()
  const { taskId } = fieldsOf(await alice('scan_corpus_async'))
  await until(() => scan.started === 1)
  expect(fieldsOf(await alice('task_update', { task_id: taskId, action: 'cancel' }))).toMatchObject({ taskId, status: 'cancelled' })
  await until(() => scan.stopped === 1)
  expect(fieldsOf(await alice('task_update', { task_id: taskId, action: 'cancel' }))).toMatchObject({ status: 'cancelled' })
  expect(fieldsOf(await alice('task_get', { task_id: taskId }))).toMatchObject({ status: 'cancelled', result: null })
  await app.close()
})

it('changes nothing of another caller', async () => {
  const { alice, bob, app } = callers()
  const { taskId } = fieldsOf(await alice('task_schedule', { delay_seconds: 60 }))
  const [foreign, missing] = [await bob('task_update', { task_id: taskId, action: 'cancel' }), await bob('task_update', { task_id: 'never', action: 'cancel' })]
  expect(foreign).toMatchObject({ refusal: { code: 'task.missing' } })
  expect(missing).toEqual(foreign)
  expect(fieldsOf(await alice('task_get', { task_id: taskId }))).toMatchObject({ status: 'scheduled' })
  await app.close()
})

it('ends a timer with all its repeats, whichever occurrence is named', async () => {
  const { alice, clock, app } = callers()
  const { taskId } = fieldsOf(await alice('task_schedule', { delay_seconds: 60, repeat_seconds: 60 }))
  clock.pass(60_000)
  expect(fieldsOf(await alice('task_update', { task_id: taskId, action: 'cancel' }))).toMatchObject({ status: 'completed' })
  clock.pass(600_000)
  const { tasks } = fieldsOf(await alice('task_list')) as { tasks: { status: string }[] }
  expect(tasks.map(({ status }) => status).sort()).toEqual(['cancelled', 'completed'])
  await app.close()
})

it('takes no action but cancel', async () => {
  expect(await callers().alice('task_update', { task_id: 'x', action: 'delete' })).toMatchObject({ refusal: { code: 'input.invalid' } })
})
