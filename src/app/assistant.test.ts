import { expect, it } from 'vitest'
import { testApp } from '../testing/index.ts'
import { cardsOf } from './assistant.ts'

it('lets what the machine says of itself at a moment be asked again and again, and nothing that changes anything', async () => {
  const { app } = testApp({ settings: { profile: 'assistant' } })
  const cards = cardsOf(app)
  await app.close()
  expect(cards.filter(({ polls }) => polls).map(({ name }) => name)).toEqual(['cpu_info', 'disk_usage', 'memory_info', 'network_info', 'process_list', 'uptime'])
  expect(cards.filter(({ polls, reads }) => polls && !reads)).toEqual([])
})
