/** What one caller leaves behind is out of every other caller's reach, by the tools and by the protocol's own methods. */

import * as z from 'zod'
import { describe, expect, it } from 'vitest'
import { answerTask } from '../../src/doors/mcp/tasks.ts'
import type { TaskAsk } from '../../src/doors/mcp/tasks.ts'
import type { Arrival, Outcome } from '../../src/kernel/call.ts'
import type { Caller } from '../../src/kernel/caller.ts'
import { tenantOf } from '../../src/kernel/owner.ts'
import { defineTool } from '../../src/kernel/tool.ts'
import { testApp } from '../../src/testing/index.ts'
import { scratchFolder } from '../../src/testing/scratch-folder.ts'

const SCOPES = ['context:read', 'context:write', 'docs:scan', 'git:write', 'memory:read', 'memory:write', 'tasks:read', 'tasks:write']
const POLLS: Arrival = { door: 'http', takesQuestions: true, capabilities: { extensions: { 'io.modelcontextprotocol/tasks': {} } } }

const cut = defineTool({
  name: 'cut', title: 'Cut', summary: 'Cuts a branch.', scope: 'git:write', level: 'CONFIRM', effect: 'delete', idempotent: true, openWorld: false, perMinute: 60, uses: [],
  input: z.strictObject({ name: z.string() }), output: z.strictObject({ done: z.boolean() }), examples: [{ title: 'One', input: { name: 'old' } }],
  touches: () => [], run: () => ({ done: true }),
})
const { app, call } = testApp({ settings: { rateLimitEnabled: false, dataDir: scratchFolder('data') }, options: { tools: [cut] } })
const as = (subject: string): Caller => app.callerOf(subject, SCOPES)
const fields = (outcome: Outcome): Readonly<Record<string, unknown>> => (outcome.is === 'ok' ? outcome.answer.value : {})
const protocol = (method: TaskAsk['method'], params: object, caller: Caller) => answerTask(app, { method, params: { ...params }, caller, arrival: POLLS })

/** A finished task of a caller, made as the protocol makes it. */
async function taskOf(caller: Caller): Promise<string> {
  const outcome = await app.dispatch({ kind: 'tool', name: 'scan_corpus_async', args: {} }, caller, POLLS)
  const taskId = outcome.is === 'task' ? outcome.task.taskId : ''
  for (;;) {
    const seen = await protocol('tasks/get', { taskId }, caller)
    if ('result' in seen && seen.result['status'] === 'completed') return taskId
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

const STRANGERS: readonly (readonly [string, Caller])[] = [
  ['another subject', as('bob')], ['the subject in other case', as('ALICE')], ['the subject with a blank', as('alice ')], ['the subject at another issuer', as('alice@other-issuer')],
  ['a subject that climbs', as('../alice')], ['the server’s own caller', app.local], ['a subject called local', as('local')],
]

describe('a task', () => {
  it.each(STRANGERS)('does not exist for %s', async (_who, stranger) => {
    const taskId = await taskOf(as('alice'))
    const missing = await call('task_get', { task_id: 'never' }, stranger)
    expect(missing).toMatchObject({ refusal: { code: 'task.missing' } })
    expect(await call('task_get', { task_id: taskId }, stranger)).toEqual(missing)
    expect(await call('task_update', { task_id: taskId, action: 'cancel' }, stranger)).toEqual(missing)
    expect(fields(await call('task_list', {}, stranger))).toEqual({ tasks: [] })
    for (const method of ['tasks/get', 'tasks/cancel', 'tasks/update'] as const) expect(await protocol(method, { taskId, inputResponses: { any: 'yes' } }, stranger)).toEqual({ fault: 'unknown' })
  })

  it('does not exist without a token, and nothing there has no owner', async () => {
    const taskId = await taskOf(as('alice'))
    const nobody = app.callerOf('', SCOPES)
    expect(await call('task_get', { task_id: taskId }, nobody)).toMatchObject({ refusal: { code: 'component.unknown' } })
    expect(await protocol('tasks/get', { taskId }, nobody)).toEqual({ fault: 'unknown' })
    await expect(app.tasks.start(nobody, { name: 'doc_scan', args: {} })).rejects.toMatchObject({ code: 'access.denied' })
  })

  it.each([{ $ne: null }, null, '', [], 7, undefined])('is not found by %j', async (taskId) => {
    await taskOf(as('bob'))
    expect(await protocol('tasks/get', { taskId }, as('bob'))).toEqual({ fault: 'unknown' })
    expect(await call('task_get', { task_id: taskId }, as('bob'))).toMatchObject({ is: 'refused' })
  })

  it('takes no owner as an argument', async () => {
    expect(await call('scan_corpus_async', { owner: 'alice' }, as('bob'))).toMatchObject({ refusal: { code: 'input.invalid' } })
  })

  it('is its owner’s, finished too, from another session and by both ways', async () => {
    const [alice, again] = [as('carol'), as('carol')]
    const taskId = await taskOf(alice)
    expect(fields(await call('task_get', { task_id: taskId }, again))).toMatchObject({ status: 'completed', result: { finding_count: 0 } })
    expect(await protocol('tasks/get', { taskId }, again)).toMatchObject({ result: { status: 'completed', result: { structuredContent: { finding_count: 0 } } } })
    expect(fields(await call('task_list', {}, as('nobody yet')))).toEqual({ tasks: [] })
  })

  it('is the local caller’s where there is no authentication', async () => {
    const taskId = await taskOf(app.local)
    expect(fields(await call('task_get', { task_id: taskId }, app.local))).toMatchObject({ status: 'completed' })
  })

  it('is not made for a client that did not say it polls', async () => {
    const outcome = await app.dispatch({ kind: 'tool', name: 'scan_corpus_async', args: {} }, as('dave'), { door: 'http', takesQuestions: true, capabilities: {} })
    expect(outcome).toMatchObject({ is: 'ok', answer: { value: { status: 'working' } } })
    // A client of the handshake era has no such answers, whatever it declares.
    expect(await app.dispatch({ kind: 'tool', name: 'scan_corpus_async', args: {} }, as('dave'), { ...POLLS, takesQuestions: false })).toMatchObject({ is: 'ok' })
  })
})

describe('a memory', () => {
  it.each(STRANGERS)('does not exist for %s', async (_who, stranger) => {
    const alice = as('alice')
    const { id } = fields(await call('memory_store', { namespace: 'notes', content: 'the notes of project a' }, alice))
    await call('kv_set', { key: 'notes', value: 'of project a' }, alice)
    expect(fields(await call('memory_search', { namespace: 'notes', query: 'project' }, stranger))['results']).toEqual([])
    expect(fields(await call('memory_list', { namespace: 'notes' }, stranger))['entries']).toEqual([])
    expect(fields(await call('memory_delete', { namespace: 'notes', id }, stranger))).toEqual({ id, deleted: false })
    expect(await call('memory_store', { namespace: 'notes', content: 'mine', id }, stranger)).toMatchObject({ refusal: { code: 'memory.missing' } })
    expect(await call('kv_get', { key: 'notes' }, stranger)).toEqual(await call('kv_get', { key: 'never' }, stranger))
    expect(fields(await call('kv_delete', { key: 'notes' }, stranger))).toEqual({ key: 'notes', deleted: false })
    expect(fields(await call('memory_search', { namespace: 'notes', query: 'project' }, alice))['results']).toHaveLength(1)
  })
})

/** Pairs of callers that read alike, or that are one to whatever knows only UTF-8. */
const ALIKE: readonly (readonly [string, Caller, Caller])[] = [
  ['a subject called local, of the operator’s', app.local, as('local')], ['the operator, of a subject called local', as('local'), app.local], ['s:local, of a subject called local', as('local'), as('s:local')],
  ['half a character, of another half', as('a\ud800'), as('a\ud801')], ['a replacement character, of half a character', as('a\ud800'), as('a\ufffd')], ['the spelling of half a character, of half a character', as('\ud800'), as('u:"\\ud800"')],
]

describe('nothing is one caller’s that is another’s', () => {
  it.each(ALIKE)('%s', async (_who, owner, stranger) => {
    const name = `set-${ALIKE.findIndex(([who]) => who === _who)}`
    await call('workingset_update', { name, action: 'pin', items: [{ kind: 'doc', identifier: 'a.md' }] }, owner)
    const never = await call('workingset_get', { name: 'never' }, stranger)
    expect(never).toMatchObject({ refusal: { code: 'workingset.missing' } })
    expect(await call('workingset_get', { name }, stranger)).toEqual(never)
    expect(await call('pack_context', { query: 'a', working_set: name, token_budget: 500 }, stranger)).toMatchObject({ refusal: { code: 'workingset.missing' } })
    expect(await call('workingset_update', { name, action: 'clear' }, stranger)).toEqual(never)
    await call('kv_set', { key: name, value: 'x' }, owner)
    expect(await call('kv_get', { key: name }, stranger)).toMatchObject({ refusal: { code: 'memory.missing' } })
    expect(await protocol('tasks/get', { taskId: await taskOf(owner) }, stranger)).toEqual({ fault: 'unknown' })
    expect(tenantOf(owner)).not.toBe(tenantOf(stranger))
  })

  it.each(ALIKE)('not even the answer to a question: %s', async (_who, owner, stranger) => {
    const asked = (caller: Caller, ticket?: string) => app.dispatch({ kind: 'tool', name: 'cut', args: { name: 'old' } }, caller, {
      door: 'http', takesQuestions: true, capabilities: { elicitation: { form: {} } }, ...(ticket !== undefined && { reply: { ticket, replies: { arrowhead_consent: { action: 'accept', content: { approve: true } } } } }),
    })
    const question = await asked(owner)
    const ticket = question.is === 'ask' ? question.ticket : ''
    expect(await asked(stranger, ticket)).toMatchObject({ refusal: { code: 'consent.ticket' } })
    expect(await asked(owner, ticket)).toMatchObject({ is: 'ok' })
  })
})
