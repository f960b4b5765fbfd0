/**
 * Two clients that use the same ids at the same time get their own answers (the shared-transport bug of
 * GHSA-345p-7cg4-v4c7), and only the token says who calls.
 */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ALICE_TOKEN, AUTH_SETTINGS, BOB_TOKEN, openHttp } from './http-server.ts'
import { ENVELOPE, openLegacy } from './stdio-pipe.ts'
import { whoTool } from './work-tools.ts'
import { openWorld } from './world.ts'

const WAYS = (['legacy', 'modern'] as const).flatMap((era) => [true, false].map((hotLane) => ({ era, hotLane })))
const asker = fc.record({ id: fc.integer({ min: 1, max: 3 }), n: fc.nat(50), bob: fc.boolean() })

test.each(WAYS)('over HTTP in the $era era (hot lane $hotLane)', async ({ era, hotLane }) => {
  const { house, rows } = openWorld({ settings: { ...AUTH_SETTINGS, hotLane, maxConcurrentCallsPerCaller: 64 }, tools: [whoTool] })
  const server = await openHttp(house.app)
  const ask = async ({ id, n, bob }: { id: number; n: number; bob: boolean }): Promise<unknown> => {
    const answer = await fetch(server.url, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${bob ? BOB_TOKEN : ALICE_TOKEN}`, 'content-type': 'application/json', accept: 'application/json, text/event-stream',
        ...(era === 'modern' && { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'who' }),
      },
      // A message that names somebody changes nothing.
      body: JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'who', arguments: { n }, _meta: { subject: 'eve', ...(era === 'modern' && ENVELOPE) } } }),
    })
    const { id: answered, result } = (await answer.json()) as { id: unknown; result: { structuredContent: unknown } }
    return { id: answered, ...(result.structuredContent as object) }
  }
  await fc.assert(
    fc.asyncProperty(fc.array(asker, { minLength: 2, maxLength: 24 }), async (askers) => {
      const heard = await Promise.all(askers.map(ask))
      expect(heard).toEqual(askers.map(({ id, n, bob }) => ({ id, n, subject: bob ? 'bob' : 'alice' })))
    }),
    { numRuns: 10 },
  )
  expect(new Set(rows.map(({ caller }) => caller))).toEqual(new Set(['alice', 'bob']))
  await server.close()
})

test.each([true, false])('over two stdio pipes to one app (hot lane %s)', async (hotLane) => {
  const { house } = openWorld({ settings: { hotLane, maxConcurrentCallsPerCaller: 64 }, tools: [whoTool] })
  const pipes = await Promise.all([openLegacy(house.app), openLegacy(house.app)])
  const call = (id: number, n: number) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'who', arguments: { n } } })
  for (const [at, pipe] of pipes.entries()) pipe.send(...Array.from({ length: 20 }, (_, id) => call(id, id * 2 + at)))
  for (const [at, pipe] of pipes.entries()) {
    for (let id = 0; id < 20; id += 1) expect(await pipe.frame((frame) => frame['id'] === id)).toMatchObject({ result: { structuredContent: { n: id * 2 + at } } })
    expect(pipe.frames.filter(({ result }) => (result as { structuredContent?: unknown } | undefined)?.structuredContent)).toHaveLength(20)
  }
})
