import { expect, it } from 'vitest'
import { callers, fieldsOf } from './memory.fixture.ts'

const { alice } = callers()
const draft = { namespace: 'prefs', content: 'prefers metric units' }

it('keeps a memory once, and replaces it by its id', async () => {
  const first = fieldsOf(await alice('memory_store', draft))
  expect(first).toMatchObject({ status: 'created' })
  expect(fieldsOf(await alice('memory_store', draft))).toEqual({ id: first['id'], status: 'unchanged' })
  expect(fieldsOf(await alice('memory_store', { ...draft, content: 'prefers feet', id: first['id'] }))).toEqual({ id: first['id'], status: 'updated' })
})

it.each(['', '.hidden', '..', 'a/b', 'a\\b', '../x', 'a b', 'a\0', 'é', 'x'.repeat(129)])('refuses the namespace %j', async (namespace) => {
  expect(await alice('memory_store', { ...draft, namespace })).toMatchObject({ refusal: { code: 'input.invalid' } })
})

it.each([{ owner: 'bob' }, { subject: 'bob' }, { id: { $ne: null } }, { id: '../x' }])('takes no owner and no odd id from its arguments: %j', async (more) => {
  expect(await alice('memory_store', { ...draft, ...more })).toMatchObject({ refusal: { code: 'input.invalid' } })
})

it('may be granted for one namespace alone', async () => {
  const policy = { grants: [{ subject: '*', actions: ['read', 'write'], kinds: ['memory'], prefix: 'prefs' }] }
  const { bob } = callers({ authzPolicy: JSON.stringify(policy) })
  expect(await bob('memory_store', draft)).toMatchObject({ is: 'ok' })
  expect(await bob('memory_store', { ...draft, namespace: 'prefs-2' })).toMatchObject({ refusal: { code: 'access.denied' } })
})

it('keeps nothing for a caller without a name', async () => {
  const { call, app } = callers()
  expect(await call('memory_store', draft, app.callerOf('', ['memory:write']))).toMatchObject({ refusal: { code: 'component.unknown' } })
})
