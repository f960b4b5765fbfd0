import { expect, it } from 'vitest'
import { callers, fieldsOf } from './memory.fixture.ts'

const { alice } = callers({ kvMaxTtlSeconds: 1000 })

it('tells when the value ends', async () => {
  expect(fieldsOf(await alice('kv_set', { key: 'a', value: 'v', ttl_seconds: 600 }))).toEqual({ key: 'a', expires_at: '2023-11-14T22:23:20.000Z' })
  expect(fieldsOf(await alice('kv_set', { key: 'a', value: 'v' }))).toEqual({ key: 'a', expires_at: null })
})

it('refuses a longer life than the limit', async () => {
  expect(await alice('kv_set', { key: 'a', value: 'v', ttl_seconds: 1001 })).toMatchObject({ refusal: { code: 'input.invalid', hint: 'ttl_seconds: at most 1000' } })
})

it.each(['', 'a/b', 'a b', 'a\n', 'ü', '%2e', 'x'.repeat(257)])('refuses the key %j', async (key) => {
  expect(await alice('kv_set', { key, value: 'v' })).toMatchObject({ refusal: { code: 'input.invalid' } })
})
