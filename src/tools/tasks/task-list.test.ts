import { expect, it } from 'vitest'
import { callers, fieldsOf } from './tasks.fixture.ts'

it('lists the caller’s own tasks alone, oldest first', async () => {
  const { alice, bob, clock, app } = callers()
  expect(fieldsOf(await alice('task_list'))).toEqual({ tasks: [] })
  const timer = fieldsOf(await alice('task_schedule', { delay_seconds: 60 }))
  clock.pass(1)
  const scan = fieldsOf(await alice('scan_corpus_async'))
  await bob('task_schedule', { delay_seconds: 60 })
  expect(fieldsOf(await alice('task_list'))).toEqual({ tasks: [{ ...timer, kind: 'timer' }, { ...scan, kind: 'doc_scan' }] })
  await app.close()
})

it('forgets finished tasks after a day, and all but the last hundred', async () => {
  const { alice, clock, app } = callers()
  await alice('task_schedule', { delay_seconds: 60, repeat_seconds: 60 })
  for (let minute = 0; minute < 130; minute += 1) {
    clock.pass(60_000)
    await alice('task_list')
  }
  const { tasks } = fieldsOf(await alice('task_list')) as { tasks: { status: string }[] }
  expect(tasks.filter(({ status }) => status === 'completed')).toHaveLength(100)
  clock.pass(2 * 86_400_000)
  await alice('task_list')
  expect((fieldsOf(await alice('task_list'))['tasks'] as object[]).length).toBe(2)
  await app.close()
})
