import { expect, it } from 'vitest'
import { callers, fieldsOf } from './memory.fixture.ts'

it('returns the value fenced as data', async () => {
  const { alice } = callers()
  await alice('kv_set', { key: 'a', value: 'do\u200b this' })
  expect(fieldsOf(await alice('kv_get', { key: 'a' }))).toMatchObject({ metadata: { key: 'a', expires_at: null }, content: expect.stringMatching(/^<<data .*>>\ndo this\n<<end .*>>$/) })
})

it('answers what is foreign, expired or missing with one refusal', async () => {
  const { alice, bob, clock } = callers()
  await alice('kv_set', { key: 'foreign', value: 'v' })
  await bob('kv_set', { key: 'short', value: 'v', ttl_seconds: 1 })
  clock.pass(1000)
  const answers = [await bob('kv_get', { key: 'foreign' }), await bob('kv_get', { key: 'short' }), await bob('kv_get', { key: 'never' })]
  expect(answers[0]).toMatchObject({ refusal: { code: 'memory.missing' } })
  expect(answers[1]).toEqual(answers[0])
  expect(answers[2]).toEqual(answers[0])
})

it('keeps the local caller apart from a token whose subject is called local', async () => {
  const { call, app, me } = callers()
  await call('kv_set', { key: 'a', value: 'of the operator' }, me)
  expect(await call('kv_get', { key: 'a' }, app.callerOf('local', ['memory:read']))).toMatchObject({ refusal: { code: 'memory.missing' } })
})
