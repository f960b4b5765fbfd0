import { expect, it } from 'vitest'
import { callers, fieldsOf } from './memory.fixture.ts'

const { alice, bob } = callers()

it('lists ids, metadata and times, oldest first', async () => {
  const [first, second] = [await alice('memory_store', { namespace: 'notes', content: 'one', metadata: { n: 1 } }), await alice('memory_store', { namespace: 'notes', content: 'two' })]
  expect(fieldsOf(await alice('memory_list', { namespace: 'notes' }))).toMatchObject({
    namespace: 'notes',
    entries: [
      { id: fieldsOf(first)['id'], metadata: { n: 1 }, created_at: '2023-11-14T22:13:20.000Z' },
      { id: fieldsOf(second)['id'], metadata: {} },
    ],
  })
})

it('answers a foreign namespace like one that is not there', async () => {
  const answers = [await bob('memory_list', { namespace: 'notes' }), await bob('memory_list', { namespace: 'never' })]
  expect(answers.map((outcome) => fieldsOf(outcome)['entries'])).toEqual([[], []])
})
