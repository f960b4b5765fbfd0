import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { answerTask } from '../../src/doors/mcp/tasks.ts'
import type { TaskAsk } from '../../src/doors/mcp/tasks.ts'
import type { Arrival } from '../../src/kernel/call.ts'
import type { Fields } from '../../src/index.ts'
import { memoryTrail } from '../../src/testing/index.ts'
import { openFixture } from './open-fixture.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'arrowhead-tasks-'))
const { app, close } = openFixture({ port: 8_000, dataDir, settings: { rateLimitEnabled: false }, replace: { trail: memoryTrail() } })
afterAll(async () => {
  await close()
  rmSync(dataDir, { recursive: true, force: true })
})

const POLLS: Arrival = { door: 'http', takesQuestions: true, capabilities: { elicitation: { form: {} }, extensions: { 'io.modelcontextprotocol/tasks': {} } } }
const ACCEPTED = { action: 'accept', content: { confirm: true } }

async function start(name: string, args: object = {}): Promise<string> {
  const outcome = await app.dispatch({ kind: 'tool', name, args }, app.local, POLLS)
  return outcome.is === 'task' ? outcome.task.taskId : `none: ${JSON.stringify(outcome)}`
}

async function send(method: TaskAsk['method'], params: object): Promise<Fields> {
  const wire = await answerTask(app, { method, params: { ...params }, caller: app.local, arrival: POLLS })
  return 'result' in wire ? wire.result : wire
}

/** Polls until the task is in this state. */
async function reaches(taskId: string, status: string): Promise<Fields> {
  for (;;) {
    const seen = await send('tasks/get', { taskId })
    if (seen['status'] === status) return seen
    expect(['working', 'input_required']).toContain(seen['status'])
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

it('shows the questions of a task, takes the answers one by one, and goes on with the last', async () => {
  const taskId = await start('multi_input')
  expect((await reaches(taskId, 'input_required'))['inputRequests']).toMatchObject({ first: { method: 'elicitation/create' }, second: {} })
  expect(await send('tasks/update', { taskId, inputResponses: { first: ACCEPTED, never: ACCEPTED } })).toEqual({})
  expect(Object.keys((await reaches(taskId, 'input_required'))['inputRequests'] as object)).toEqual(['second'])
  expect(await send('tasks/update', { taskId, inputResponses: { first: { action: 'decline' }, second: ACCEPTED } })).toEqual({})
  expect(await reaches(taskId, 'completed')).toMatchObject({ result: { content: [{ type: 'text', text: 'accept accept' }] } })
})

it('tells a refusal as a completed task whose result is an error, and a fault as a failed one that says nothing of its cause', async () => {
  const [no, broken] = [await start('failing_job'), await start('protocol_error_job')]
  expect(await reaches(no, 'completed')).toMatchObject({ result: { isError: true, content: [{ text: expect.stringContaining('tool.failed') }] } })
  const seen = await reaches(broken, 'failed')
  expect(seen).toMatchObject({ error: { code: -32_603, message: expect.stringMatching(/^internal error \(incident [\w-]+\)$/) } })
  expect(JSON.stringify(seen)).not.toContain('broken on purpose')
})

it('stops a task that waits for an answer', async () => {
  const taskId = await start('confirm_delete', { filename: 'a.txt' })
  await reaches(taskId, 'input_required')
  expect(await send('tasks/cancel', { taskId })).toEqual({})
  expect(await reaches(taskId, 'cancelled')).not.toHaveProperty('inputRequests')
  expect(await send('tasks/update', { taskId, inputResponses: { confirm: ACCEPTED } })).toEqual({})
  expect(await reaches(taskId, 'cancelled')).toBeDefined()
})

it('gives tasks that wait for answers no other’s place', async () => {
  const waiting = await Promise.all(Array.from({ length: 6 }, () => start('confirm_delete', { filename: 'a.txt' })))
  for (const taskId of waiting) await reaches(taskId, 'input_required')
  expect(await reaches(await start('slow_compute', { seconds: 0, label: 'x' }), 'completed')).toMatchObject({ result: { content: [{ text: 'computed x' }] } })
  for (const taskId of waiting) await send('tasks/cancel', { taskId })
})
