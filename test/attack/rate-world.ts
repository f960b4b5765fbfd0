/** A server whose tools run ten times a minute and caller, behind a library and an HTTP door, over a clock that stands still. */

import * as z from 'zod'
import { namesAsTokens } from '../../src/doors/http/door.fixture.ts'
import { createHttpDoor } from '../../src/doors/http/index.ts'
import { createArrowhead } from '../../src/index.ts'
import type { Arrowhead } from '../../src/index.ts'
import { defineTool } from '../../src/kernel/tool.ts'
import type { Tool } from '../../src/kernel/tool.ts'
import { memoryTrail, testClock } from '../../src/testing/index.ts'
import type { TestClock } from '../../src/testing/index.ts'
import { AUTH_SETTINGS } from '../doors/http-server.ts'

export const LIMIT = 10
export const SCOPE = 'tools:read'

export interface World {
  readonly house: Arrowhead
  readonly port: number
  readonly clock: TestClock
  /** Who ran the tool, in order. */
  readonly runs: readonly string[]
  close(): Promise<void>
}

export async function openWorld(settings: object = AUTH_SETTINGS): Promise<World> {
  const runs: string[] = []
  const clock = testClock()
  const tool = (name: string, run: Tool['run']): Tool =>
    defineTool({
      name, title: name, summary: 'For a test.', scope: SCOPE, level: 'SAFE', effect: 'read', idempotent: true, openWorld: false, perMinute: LIMIT, uses: [],
      input: z.strictObject({ text: z.string().max(200_000).optional() }), output: z.strictObject({ count: z.number() }), examples: [],
      touches: () => [],
      run: (input, services, context) => run(input, services as never, context) as { count: number },
    })
  const tools = [
    tool('probe', (_input, _services, { subject }) => ({ count: runs.push(subject) })),
    tool('broken', (_input, _services, { subject }) => {
      runs.push(subject)
      throw new Error('broken')
    }),
  ]
  const house = createArrowhead(
    { unknownPerMinute: LIMIT, maxConcurrentCalls: 1_000, maxConcurrentCallsPerCaller: 100, ...settings },
    { tools, replace: { clock, trail: memoryTrail() } },
  )
  const app = { ...house.app, settings: { ...house.app.settings, port: 0 } }
  const door = createHttpDoor({ app, identity: namesAsTokens([SCOPE]), version: '0.0.0-test', warn: () => {} })
  const { port } = await door.listen()
  return {
    house, port, clock, runs,
    async close() {
      await door.drain()
      await house.close()
    },
  }
}
