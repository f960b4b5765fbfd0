import { expect, it } from 'vitest'
import { callers, fieldsOf } from './memory.fixture.ts'

const { alice, bob } = callers()

it('deletes a memory once, and only for its owner', async () => {
  const { id } = fieldsOf(await alice('memory_store', { namespace: 'notes', content: 'one' }))
  expect(fieldsOf(await bob('memory_delete', { namespace: 'notes', id }))).toEqual({ id, deleted: false })
  expect(fieldsOf(await alice('memory_delete', { namespace: 'notes', id }))).toEqual({ id, deleted: true })
  expect(fieldsOf(await alice('memory_delete', { namespace: 'notes', id }))).toEqual({ id, deleted: false })
})
