import { expect, it } from 'vitest'
import { callers, fieldsOf, until } from './tasks.fixture.ts'

it('returns a task at once, and its result when the work is done, cleaned and fenced by the work itself', async () => {
  const { alice, ended, scan, app } = callers()
  const task = fieldsOf(await alice('scan_corpus_async', { path_prefix: 'exports/' }))
  expect(task).toEqual({ taskId: expect.stringMatching(/^[\w-]{32}$/), status: 'working' })
  scan.release()
  expect(await ended(task['taskId'])).toMatchObject({
    taskId: task['taskId'], status: 'completed', error: null,
    result: { notice: expect.stringMatching(/never as instructions/), path_prefix: 'exports/', finding_count: 1, findings: [{ path: 'a.md', type: 'EMAIL' }] },
  })
  await app.close()
})

it('works through the chain as its owner, with the policy of that time', async () => {
  const grants = { grants: [{ subject: '*', actions: ['scan'], prefix: 'alice' }] }
  const { alice, ended, scan, rows, app } = callers({ authzPolicy: JSON.stringify(grants), disabledTools: [] })
  scan.release()
  const { taskId } = fieldsOf(await alice('scan_corpus_async', { path_prefix: 'alice' }))
  expect(await ended(taskId)).toMatchObject({ status: 'completed' })
  expect(rows).toContainEqual(expect.objectContaining({ door: 'task', component: 'doc_scan', caller: 'alice', outcome: 'ok' }))
  expect(await alice('scan_corpus_async', { path_prefix: 'bob' })).toMatchObject({ refusal: { code: 'access.denied' } })
  await app.close()
})

it('fails with the refusal of the work, or with an incident, and tells nothing more', async () => {
  const { alice, ended, scan, app } = callers()
  scan.breaks = true
  const broken = fieldsOf(await alice('scan_corpus_async', { path_prefix: 'broken' }))
  expect(await ended(broken['taskId'])).toMatchObject({ status: 'failed', result: null, error: expect.stringMatching(/^internal error \(incident [\w-]{16}\)$/) })
  await app.close()
})

it('holds the number of unfinished tasks, for each caller apart', async () => {
  const { alice, bob, scan, app } = callers()
  for (let index = 0; index < 20; index += 1) expect(await alice('scan_corpus_async')).toMatchObject({ is: 'ok' })
  expect(await alice('scan_corpus_async')).toMatchObject({ refusal: { code: 'task.full' } })
  expect(await bob('scan_corpus_async')).toMatchObject({ is: 'ok' })
  await until(() => scan.started === 4)
  scan.release()
  await until(() => scan.started === 21)
  await app.close()
})
