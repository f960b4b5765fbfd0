/** Who gets a session of the handshake era: everybody whose handshake was answered, whichever lane answered it. */

import { describe, expect, it } from 'vitest'
import { openTestDoor, rpc } from './door.fixture.ts'
import type { TestDoor } from './door.fixture.ts'

const HANDSHAKE = { protocolVersion: '2025-11-25', capabilities: { elicitation: {} }, clientInfo: { name: 'a', version: '1' } }

const PLAIN = HANDSHAKE
const MORE = { ...HANDSHAKE, _meta: { progressToken: 1 } }
const TASKS = { ...HANDSHAKE, capabilities: { ...HANDSHAKE.capabilities, tasks: { list: {} } } }

async function within(settings: { readonly hotLane: boolean; readonly statelessHttp: boolean }, run: (door: TestDoor) => Promise<void>): Promise<void> {
  const door = await openTestDoor({ settings })
  await run(door).finally(() => door.close())
}

describe.each([[true], [false]])('with the hot lane: %s', (hotLane) => {
  it.each([['plain', PLAIN], ['with metadata', MORE], ['of a client with tasks', TASKS]])('a handshake that is %s opens the session that later requests need', (_what, params) =>
    within({ hotLane, statelessHttp: false }, async (door) => {
      const { headers } = await door.send({ body: rpc('initialize', params) })
      const session = String(headers['mcp-session-id'])
      expect((await door.send({ body: rpc('tools/list'), headers: { 'mcp-session-id': session } })).json).toHaveProperty('result.tools')
      expect((await door.send({ body: rpc('tools/list') })).status).toBe(400)
    }))

  it.each([[false], [true]])('a handshake that is refused opens none (stateless: %s)', (statelessHttp) =>
    within({ hotLane, statelessHttp }, async (door) => {
      for (const params of [{}, { ...HANDSHAKE, clientInfo: {} }, { ...HANDSHAKE, capabilities: { elicitation: 5 } }]) {
        const { json, headers } = await door.send({ body: rpc('initialize', params) })
        expect(json).toHaveProperty('error.code', -32_602)
        expect(headers['mcp-session-id']).toBeUndefined()
      }
    }))
})
