/** A message that is refused over stdio is refused over HTTP too, in the same words and with the same record. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openHttp } from './http-server.ts'
import type { HttpServer } from './http-server.ts'
import { REFUSED } from './refused-lines.ts'
import { openLegacy } from './stdio-pipe.ts'
import { openWorld } from './world.ts'
import type { World } from './world.ts'

describe.each([true, false])('hot lane %s', (hotLane) => {
  let world: World
  let server: HttpServer
  beforeAll(async () => {
    world = openWorld({ settings: { dangerouslyAllowInsecureHttp: true, hotLane } })
    server = await openHttp(world.house.app)
  })
  afterAll(() => server.close())

  test.each(REFUSED)('%s', async (_title, line, code) => {
    const there = openWorld({ settings: { hotLane } })
    const pipe = await openLegacy(there.house.app)
    await pipe.ask('ping')
    const heard = pipe.frames.length
    pipe.write(`${line}\n`)
    const frame = await pipe.frame((one) => 'error' in one && pipe.frames.indexOf(one) >= heard)

    const kept = world.rows.length
    const answer = await fetch(server.url, { method: 'POST', headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }, body: line })
    expect(await answer.json()).toEqual(frame)
    expect(world.rows.slice(kept).map((row) => [row.kind, row.outcome, row.code])).toEqual([['message', 'refused', code]])
  })
})
