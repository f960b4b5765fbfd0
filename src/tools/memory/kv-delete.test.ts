import { expect, it } from 'vitest'
import { callers, fieldsOf } from './memory.fixture.ts'

const { alice, bob } = callers()

it('deletes a value once, and only for its owner', async () => {
  await alice('kv_set', { key: 'a', value: 'v' })
  expect(fieldsOf(await bob('kv_delete', { key: 'a' }))).toEqual({ key: 'a', deleted: false })
  expect(fieldsOf(await alice('kv_delete', { key: 'a' }))).toEqual({ key: 'a', deleted: true })
  expect(fieldsOf(await alice('kv_delete', { key: 'a' }))).toEqual({ key: 'a', deleted: false })
})
