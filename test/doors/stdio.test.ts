/** What the stdio door does with each kind of line, and with many requests at once. */

import { describe, expect, test } from 'vitest'
import { REFUSED } from './refused-lines.ts'
import { ENVELOPE, HANDSHAKE, openLegacy, openModern, openPipe } from './stdio-pipe.ts'
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

const text = (message: object): string => JSON.stringify(message)
const CALL = { jsonrpc: '2.0', id: 7, method: 'tools/call' }

describe.each(LANES)('a line that is refused (hot lane %s)', (hotLane) => {
  test.each(REFUSED)('%s: one clear answer, one record, and the door goes on', async (_title, line, code, id) => {
    const { pipe, rows } = await open({}, 'legacy', hotLane)
    await pipe.ask('ping')
    const [heard, kept] = [pipe.frames.length, rows.length]
    pipe.write(`${line}\n`)
    await pipe.frame((frame) => 'error' in frame && pipe.frames.indexOf(frame) >= heard)
    await pipe.ask('ping')
    const answers = pipe.frames.slice(heard, -1)
    expect(answers).toHaveLength(1)
    expect(answers[0]).toMatchObject({ jsonrpc: '2.0', id, error: { code: expect.any(Number), message: expect.stringMatching(`^${code}: `) } })
    expect(JSON.stringify(answers)).not.toContain('PRIVATE')
    expect(rows.slice(kept).map((row) => [row.kind, row.outcome, row.code])).toEqual([['message', 'refused', code], ['message', 'ok', '']])
    expect(JSON.stringify(rows)).not.toContain('PRIVATE')
  })

  test('is refused alike before the first handshake', async () => {
    const world = openWorld({ settings: { hotLane } })
    const pipe = openPipe(world.house.app)
    const lines = REFUSED.filter(([, , code]) => code !== 'message.method')
    // One after the other: requests with one id in flight would be refused for that alone.
    for (const [at, [, line, , id]] of lines.entries()) {
      pipe.write(`${line}\n`)
      await pipe.frame((frame) => pipe.frames.indexOf(frame) === at && frame['id'] === id && 'error' in frame)
    }
    expect(await pipe.ask('initialize', HANDSHAKE)).toHaveProperty('result')
    expect(world.rows.slice(0, -1).map(({ code }) => code)).toEqual(lines.map(([, , code]) => code))
  })

  test('an initialize with wrong parameters is invalid input, in our words', async () => {
    const world = openWorld({ settings: { hotLane } })
    const answer = await openPipe(world.house.app).ask('initialize', { protocolVersion: 7, capabilities: [] })
    expect(answer).toMatchObject({ error: { code: -32_602, message: 'input.invalid: the input does not match the schema' } })
  })

  test('a line longer than the limit is skipped to its end, refused once, and nothing of it is kept', async () => {
    const { pipe, rows } = await open({ settings: { stdioMaxMessageBytes: 1_000 } })
    for (let chunk = 0; chunk < 50; chunk += 1) pipe.write('A'.repeat(1_000))
    pipe.write(`"}\n${text({ jsonrpc: '2.0', id: 1, method: 'ping' })}\n`)
    await pipe.frame(({ id }) => id === 1)
    expect(pipe.frames.filter((frame) => 'error' in frame)).toMatchObject([{ id: null, error: { data: { code: 'message.too-large' } } }])
    expect(rows.filter(({ code }) => code === 'message.too-large')).toHaveLength(1)
  })

  test('a message exactly as long as the limit is read', async () => {
    const ping = text({ jsonrpc: '2.0', id: 'x'.repeat(400), method: 'ping' })
    const { pipe } = await open({ settings: { stdioMaxMessageBytes: ping.length } })
    pipe.write(`${ping}\n`)
    expect(await pipe.frame(({ id }) => id === 'x'.repeat(400))).toHaveProperty('result')
  })

  test('an answer to a question that nobody asked gets none, and is on record', async () => {
    const { pipe, rows } = await open()
    const before = pipe.frames.length
    pipe.send({ jsonrpc: '2.0', id: 99, result: {} }, { jsonrpc: '2.0', id: 98, error: { code: 1, message: 'PRIVATE' } })
    await pipe.ask('ping')
    expect(pipe.frames).toHaveLength(before + 1)
    expect(rows.slice(-3).map(({ component, code }) => [component, code])).toEqual([['response', 'message.unexpected'], ['response', 'message.unexpected'], ['ping', '']])
  })

  test('blank lines and a carriage return before the end are no messages', async () => {
    const { pipe, rows } = await open()
    const before = rows.length
    pipe.write(`\n\r\n   \n${text({ jsonrpc: '2.0', id: 1, method: 'ping' })}\r\n`)
    await pipe.frame(({ id }) => id === 1)
    expect(rows).toHaveLength(before + 1)
  })

  test('a message may come in pieces, cut inside a character', async () => {
    const { pipe } = await open()
    const bytes = Buffer.from(`${text({ ...CALL, params: { name: 'note', arguments: { text: 'größe' } } })}\n`)
    for (const byte of bytes) pipe.write(Uint8Array.of(byte))
    expect(await pipe.frame(({ id }) => id === 7)).toMatchObject({ result: { structuredContent: { length: 5 } } })
  })
})

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

describe.each(LANES)('records (hot lane %s)', (hotLane) => {
  test('each message leaves exactly one, whatever becomes of it', async () => {
    const { pipe, rows } = await open({ settings: { unknownPerMinute: 1 } }, 'legacy', hotLane)
    const from = rows.length
    const asks: readonly (readonly [method: string, params: object, record: string])[] = [
      ['ping', {}, 'message ping ok '],
      ['tools/list', {}, 'listing tools ok '],
      ['tools/list', { cursor: 'made up' }, 'listing tools refused input.invalid'],
      ['tools/call', { name: 'note', arguments: { text: 'a' } }, 'tool note ok '],
      ['tools/call', { name: 'note', arguments: {} }, 'tool note refused input.invalid'],
      ['tools/call', { name: 'none' }, 'tool unknown refused component.unknown'],
      ['prompts/get', { name: 'none' }, 'prompt unknown refused quota.spent'],
      ['resources/read', { uri: 'page://one' }, 'resource page://{id} ok '],
      ['completion/complete', { ref: { type: 'ref/prompt', name: 'greet' }, argument: { name: 'who', value: '' } }, 'completion greet ok '],
      ['logging/setLevel', { level: 'info' }, 'message request refused message.method'],
      ['server/discover', {}, 'message server/discover refused message.method'],
    ]
    for (const [method, params] of asks) await pipe.ask(method, params)
    const record = ({ kind, component, outcome, code }: (typeof rows)[number]) => `${kind} ${component} ${outcome} ${code}`
    expect(rows.slice(from).map(record)).toEqual(asks.map(([, , expected]) => expected))
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length)
  })

  test('a ping that is cancelled leaves one too', async () => {
    const { pipe, rows } = await open({}, 'legacy', hotLane)
    const from = rows.length
    pipe.send({ jsonrpc: '2.0', id: 1, method: 'ping' }, { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } })
    await pipe.ask('ping')
    expect(rows.slice(from).map(({ component }) => component).sort()).toEqual(['notification', 'ping', 'ping'])
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
