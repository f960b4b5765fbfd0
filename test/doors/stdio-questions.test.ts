/** Whether a stdio client is asked what it said it can be asked, whichever lane answered its handshake. */

import { expect, test } from 'vitest'
import * as z from 'zod'
import { defineTool } from '../../src/kernel/tool.ts'
import { HANDSHAKE, openPipe } from './stdio-pipe.ts'
import { openWorld } from './world.ts'

const forget = defineTool({
  name: 'forget', title: 'Forget', summary: 'Forgets everything.', scope: 'notes:write', level: 'CONFIRM', effect: 'delete',
  idempotent: true, openWorld: false, perMinute: 100, uses: [],
  input: z.strictObject({}), output: z.strictObject({ done: z.boolean() }), examples: [], touches: () => [],
  run: () => ({ done: true }),
})

const ELICITATION = { elicitation: { form: {} } }

const OPENINGS: readonly (readonly [what: string, part: object])[] = [
  ['says no more than it must', { capabilities: ELICITATION }],
  ['brings metadata', { capabilities: ELICITATION, _meta: { progressToken: 1 } }],
  ['names a capability of its own', { capabilities: { ...ELICITATION, ownThing: {} } }],
  ['declares tasks', { capabilities: { ...ELICITATION, tasks: { list: {} } } }],
]

test.each(OPENINGS)('a client whose handshake %s is asked before something is deleted', async (_what, part) => {
  const { house } = openWorld({ tools: [forget] })
  const pipe = openPipe(house.app)
  expect(await pipe.ask('initialize', { ...HANDSHAKE, ...part })).toHaveProperty('result')
  pipe.send({ jsonrpc: '2.0', method: 'notifications/initialized' })
  pipe.send({ jsonrpc: '2.0', id: 'call', method: 'tools/call', params: { name: 'forget', arguments: {} } })
  const question = await pipe.frame(({ id, method }) => id === 'call' || method === 'elicitation/create')
  expect(question).toHaveProperty('method', 'elicitation/create')
  pipe.send({ jsonrpc: '2.0', id: question['id'], result: { action: 'accept', content: { approve: true } } })
  expect(await pipe.frame(({ id }) => id === 'call')).toHaveProperty('result.structuredContent', { done: true })
  await pipe.leave()
  await house.close()
})

test('a client whose handshake says that it can be asked nothing is not asked', async () => {
  const { house } = openWorld({ tools: [forget] })
  const pipe = openPipe(house.app)
  await pipe.ask('initialize', { ...HANDSHAKE, capabilities: {}, _meta: {} })
  expect(await pipe.ask('tools/call', { name: 'forget', arguments: {} })).toHaveProperty('result.isError', true)
  await pipe.leave()
  await house.close()
})
