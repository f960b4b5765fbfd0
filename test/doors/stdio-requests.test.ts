/** Many requests at once over stdio: places, waiting, cancelling, progress, ids, and the end. */

import { describe, expect, test } from 'vitest'
import { ENVELOPE, openLegacy, openModern, openPipe } from './stdio-pipe.ts'
import type { StdioPipe } from './stdio-pipe.ts'
import { countingTool, heldTool } from './work-tools.ts'
import { openWorld } from './world.ts'
import type { WorldOptions } from './world.ts'

/** Both ways to an answer: our own tables, and the protocol library, which is the reference. */
const LANES = [true, false] as const

const open = async ({ settings, ...options }: WorldOptions = {}, era: 'legacy' | 'modern' = 'legacy', hotLane = true) => {
  const world = openWorld({ ...options, settings: { hotLane, ...settings } })
  const pipe = era === 'legacy' ? await openLegacy(world.house.app) : openModern(world.house.app)
  return { ...world, pipe }
}

const WAYS = (['legacy', 'modern'] as const).flatMap((era) => LANES.map((hotLane) => ({ era, hotLane })))

describe.each(WAYS)('in the $era era (hot lane $hotLane)', ({ era, hotLane }) => {
  const callOf = (id: number | string, n: number, meta: object = {}, name = 'hold') => ({
    jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: { n }, _meta: { ...(era === 'modern' && ENVELOPE), ...meta } },
  })
  const cancel = (requestId: number | string) => ({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId, reason: 'PRIVATE', ...(era === 'modern' && { _meta: ENVELOPE }) } })
  const done = (pipe: StdioPipe, id: number | string) => pipe.frame((frame) => frame['id'] === id)

  test('more requests than may run at once all get their answers, and never more run than that', async () => {
    const held = heldTool()
    const { pipe, rows } = await open({ settings: { stdioMaxConcurrentRequests: 3 }, tools: [held.tool] }, era, hotLane)
    pipe.send(...Array.from({ length: 40 }, (_, n) => callOf(n, n)))
    await Promise.all([0, 1, 2].map((n) => held.begun(n)))
    expect(held.running.size).toBe(3)
    held.release()
    for (let n = 0; n < 40; n += 1) expect(await done(pipe, n)).toMatchObject({ result: { structuredContent: { n } } })
    expect(held.peak()).toBe(3)
    expect(rows.filter(({ component }) => component === 'hold')).toHaveLength(40)
  })

  test('a flood beyond what may wait is read as places come free, and loses nothing', async () => {
    const held = heldTool()
    held.release()
    const { pipe } = await open({ settings: { stdioMaxConcurrentRequests: 2 }, tools: [held.tool] }, era, hotLane)
    for (let from = 0; from < 400; from += 100) pipe.send(...Array.from({ length: 100 }, (_, n) => callOf(from + n, from + n)))
    for (let n = 0; n < 400; n += 1) expect(await done(pipe, n)).toMatchObject({ result: { structuredContent: { n } } })
    expect(held.peak()).toBeLessThanOrEqual(2)
  })

  test('cancelling stops the work, is not answered, frees the place, and leaves one record for each message', async () => {
    const held = heldTool()
    const { pipe, rows } = await open({ settings: { stdioMaxConcurrentRequests: 1 }, tools: [held.tool] }, era, hotLane)
    const before = rows.length
    pipe.send(callOf(1, 1))
    await held.begun(1)
    pipe.send(cancel(1), callOf(2, 2))
    await held.begun(2)
    held.release()
    await done(pipe, 2)
    expect(held.stopped).toEqual([1])
    expect(pipe.frames.some(({ id }) => id === 1)).toBe(false)
    expect(rows.slice(before).map(({ component, outcome, code }) => `${component} ${outcome} ${code}`).sort())
      .toEqual(['hold ok ', 'hold refused call.cancelled', 'notification ok '])
  })

  test('a request that is cancelled while it waits never runs', async () => {
    const held = heldTool()
    const { pipe, rows } = await open({ settings: { stdioMaxConcurrentRequests: 1 }, tools: [held.tool] }, era, hotLane)
    const before = rows.length
    pipe.send(callOf(1, 1), callOf(2, 2), cancel(2), callOf(3, 3))
    await held.begun(1)
    held.release()
    await done(pipe, 3)
    expect(pipe.frames.some(({ id }) => id === 2)).toBe(false)
    expect(held.running.has(2)).toBe(false)
    expect(rows.slice(before).map(({ component, code }) => `${component} ${code}`).sort())
      .toEqual(['hold ', 'hold ', 'notification ', 'request call.cancelled'])
  })

  test('cancelling what is not running changes nothing', async () => {
    const { pipe } = await open({ tools: [countingTool] }, era, hotLane)
    pipe.send(cancel('nothing'), cancel(7), callOf(7, 1, {}, 'count'))
    expect(await done(pipe, 7)).toMatchObject({ result: { structuredContent: { n: 1 } } })
  })

  test('progress is told under the token of its request, in order, before the answer', async () => {
    const { pipe } = await open({ tools: [countingTool] }, era, hotLane)
    pipe.send(callOf('a', 3, { progressToken: 'token-a' }, 'count'), callOf('b', 2, { progressToken: 5 }, 'count'))
    await Promise.all([done(pipe, 'a'), done(pipe, 'b')])
    const told = (token: unknown) => pipe.frames.flatMap(({ method, params }) => {
      const { progressToken, progress, total } = (params ?? {}) as Readonly<Record<string, unknown>>
      return method === 'notifications/progress' && progressToken === token ? [`${progress}/${total}`] : []
    })
    expect(told('token-a')).toEqual(['1/3', '2/3', '3/3'])
    expect(told(5)).toEqual(['1/2', '2/2'])
    const [lastTold, answer] = [pipe.frames.findLastIndex(({ params }) => (params as { progressToken?: unknown } | undefined)?.progressToken === 'token-a'), pipe.frames.findIndex(({ id }) => id === 'a')]
    expect(lastTold).toBeLessThan(answer)
  })

  test('without a token nothing is told', async () => {
    const { pipe } = await open({ tools: [countingTool] }, era, hotLane)
    pipe.send(callOf('a', 3, {}, 'count'))
    await done(pipe, 'a')
    expect(pipe.frames.some(({ method }) => method === 'notifications/progress')).toBe(false)
  })

  test('an id that is in flight cannot be used again until it is answered', async () => {
    const held = heldTool()
    const { pipe, rows } = await open({ tools: [held.tool] }, era, hotLane)
    pipe.send(callOf(1, 1))
    await held.begun(1)
    pipe.send(callOf(1, 2))
    const refused = await pipe.frame(({ id, error }) => id === 1 && error !== undefined)
    expect(refused).toMatchObject({ error: { data: { code: 'message.invalid' } } })
    held.release()
    expect(await pipe.frame(({ id, result }) => id === 1 && result !== undefined)).toMatchObject({ result: { structuredContent: { n: 1 } } })
    const again = pipe.frames.length
    pipe.send(callOf(1, 3))
    await pipe.frame((frame) => frame['id'] === 1 && pipe.frames.indexOf(frame) >= again)
    expect(held.running.has(2)).toBe(false)
    expect(rows.filter(({ component }) => component === 'hold')).toHaveLength(2)
  })

  test('the ids 1 and "1" are two ids', async () => {
    const held = heldTool()
    const { pipe } = await open({ tools: [held.tool] }, era, hotLane)
    pipe.send(callOf(1, 1), callOf('1', 2))
    await Promise.all([held.begun(1), held.begun(2)])
    held.release()
    expect(await done(pipe, 1)).toMatchObject({ result: { structuredContent: { n: 1 } } })
    expect(await done(pipe, '1')).toMatchObject({ result: { structuredContent: { n: 2 } } })
  })

  test('an id that this server uses for itself is as good as any other', async () => {
    const { pipe } = await open({}, era, hotLane)
    const meta = era === 'modern' ? { _meta: ENVELOPE } : {}
    for (const id of ['arrowhead:handshake', '', '__proto__', 0, -1]) {
      pipe.send({ jsonrpc: '2.0', id, method: 'no/such', params: meta }, { jsonrpc: '2.0', id: `${id}-list`, method: 'tools/list', params: meta })
      expect(await done(pipe, id)).toMatchObject({ error: { code: -32_601 } })
      expect(await done(pipe, `${id}-list`)).toHaveProperty('result.tools')
    }
  })

  test('what was asked before the input ended is answered', async () => {
    const { pipe } = await open({ tools: [countingTool] }, era, hotLane)
    pipe.send(...Array.from({ length: 100 }, (_, n) => callOf(n, n % 3, {}, 'count')))
    await pipe.leave()
    expect(pipe.frames.filter(({ result }) => result !== undefined && 'structuredContent' in (result as object))).toHaveLength(100)
  })
})

test('the door ends when its parent is gone', async () => {
  let parent = 10
  const pipe = openPipe(openWorld().house.app, () => parent)
  parent = 1
  await pipe.gone
  expect(parent).toBe(1)
})

test.each(LANES)('a call that never ends is stopped soon after its client left (hot lane %s)', async (hotLane) => {
  const held = heldTool()
  const { pipe } = await open({ tools: [held.tool] }, 'legacy', hotLane)
  pipe.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'hold', arguments: { n: 1 } } })
  await held.begun(1)
  await pipe.leave()
  expect(pipe.frames.some(({ id }) => id === 1)).toBe(false)
  expect(held.stopped).toEqual([1])
})
