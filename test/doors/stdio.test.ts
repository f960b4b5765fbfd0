/** What the stdio door does with each kind of line, and the record that each leaves. */

import { describe, expect, test } from 'vitest'
import { REFUSED } from './refused-lines.ts'
import { HANDSHAKE, openLegacy, openPipe } from './stdio-pipe.ts'
import { openWorld } from './world.ts'
import type { WorldOptions } from './world.ts'

/** Both ways to an answer: our own tables, and the protocol library, which is the reference. */
const LANES = [true, false] as const

const open = async ({ settings, ...options }: WorldOptions = {}, hotLane = true) => {
  const world = openWorld({ ...options, settings: { hotLane, ...settings } })
  return { ...world, pipe: await openLegacy(world.house.app) }
}

const text = (message: object): string => JSON.stringify(message)
const CALL = { jsonrpc: '2.0', id: 7, method: 'tools/call' }

describe.each(LANES)('a line that is refused (hot lane %s)', (hotLane) => {
  test.each(REFUSED)('%s: one clear answer, one record, and the door goes on', async (_title, line, code, id) => {
    const { pipe, rows } = await open({}, hotLane)
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

describe.each(LANES)('records (hot lane %s)', (hotLane) => {
  test('each message leaves exactly one, whatever becomes of it', async () => {
    const { pipe, rows } = await open({ settings: { unknownPerMinute: 1 } }, hotLane)
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
    const { pipe, rows } = await open({}, hotLane)
    const from = rows.length
    pipe.send({ jsonrpc: '2.0', id: 1, method: 'ping' }, { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } })
    await pipe.ask('ping')
    expect(rows.slice(from).map(({ component }) => component).sort()).toEqual(['notification', 'ping', 'ping'])
  })
})
