import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { ConfigError } from '../../config/index.ts'
import { defineTool } from '../../kernel/tool.ts'
import type { Level } from '../../kernel/tool.ts'
import { createArrowhead, Fault } from './create-arrowhead.ts'
import type { Arrowhead, GivenSettings } from './create-arrowhead.ts'

let dataDir: string
let lines: { event: string; outcome?: string }[]
let house: Arrowhead | undefined
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'arrowhead-library-'))
  lines = []
})
afterEach(async () => {
  await house?.close()
  house = undefined
  rmSync(dataDir, { recursive: true, force: true })
})

const rising = (rise: () => unknown): ReturnType<typeof defineTool> =>
  defineTool({
    name: 'rising', title: 'Rising', summary: 'Says one.', scope: 'tools:read', level: 'SAFE', effect: 'read', idempotent: true, openWorld: false, uses: [],
    input: z.strictObject({}), output: z.strictObject({ n: z.number() }), examples: [], touches: () => [], rise: rise as () => Level, run: () => ({ n: 1 }),
  })
const open = (settings: GivenSettings = {}, rise: () => unknown = () => 'SAFE'): Arrowhead =>
  (house = createArrowhead(settings, { dataDir, tools: [rising(rise)], log: (line) => lines.push(JSON.parse(line)) > 0 }))

describe('what a program passes in', () => {
  it.each([['a function', () => 1], ['a symbol', Symbol('x')], ['a bigint', 1n]])('is a wrong value where it is %s, not left out', (_, value) => {
    for (const key of ['port', 'disabledTools', 'dataDir', 'logLevel']) expect(() => open({ [key]: value })).toThrow(ConfigError)
    expect(() => open({ disabledTools: [value] })).toThrow(/^1 problem in the settings:\ndisabledTools /)
  })

  it('has its default where it is undefined', () => {
    expect(open({ port: undefined }).app.settings.port).toBe(8000)
  })
})

it.each([
  ['info', ['ok', 'refused', 'fault', undefined]], ['warn', ['refused', 'fault', undefined]], ['error', ['fault', undefined]],
])('a log of level %s holds the lines that are at least so important', async (logLevel, outcomes) => {
  const session = open({ logLevel }, () => {
    throw new Error('out of order')
  }).as({ subject: 'someone', scopes: ['tools:read'] })
  await session.call('calculate', { expression: '1 + 1' })
  await expect(session.call('nothing')).rejects.toMatchObject({ code: 'component.unknown' })
  await expect(session.call('rising', {})).rejects.toThrow(Fault)
  await house?.close()
  expect(new Set(lines.filter(({ event }) => event !== 'warning').map(({ outcome }) => outcome))).toEqual(new Set(outcomes))
})

it.each([['at once', (level: unknown) => level], ['later', async (level: unknown) => level]])('a call that rises %s to a word that is no level does not run', async (_, answer) => {
  const session = open({}, () => answer('confirm')).as({ subject: 'someone', scopes: ['tools:read'] })
  await expect(session.call('rising', {})).rejects.toThrow(Fault)
})

describe('the end of it', () => {
  const waiting = (name: string, effect: 'read' | 'create', run: (signal: AbortSignal) => Promise<{ n: number }>): ReturnType<typeof defineTool> =>
    defineTool({
      name, title: 'Waiting', summary: 'Says one, later.', scope: 'tools:read', level: 'SAFE', effect, idempotent: true, openWorld: false, uses: [],
      input: z.strictObject({}), output: z.strictObject({ n: z.number() }), examples: [], touches: () => [], run: (_input, _services, { signal }) => run(signal),
    })
  const later = (ms: number) => () => new Promise<{ n: number }>((resolve) => setTimeout(() => resolve({ n: 1 }), ms))
  const opened = (...tools: ReturnType<typeof defineTool>[]): Arrowhead => (house = createArrowhead({}, { dataDir, tools, log: (line) => lines.push(JSON.parse(line)) > 0 }))

  it('refuses whatever is called behind it, and writes nothing any more', async () => {
    const session = opened(waiting('later_read', 'read', later(1))).asLocal()
    await house?.close()
    const before = lines.length
    for (const call of [session.call('calculate', { expression: '1+1' }), session.call('later_read', {}), session.call('memory_store', { content: 'x' }), session.call('nothing'), session.list('tools')]) {
      await expect(call).rejects.toMatchObject({ code: 'server.closed' })
    }
    expect(lines.slice(before)).toEqual([])
  })

  it('lets a call end that runs, which leaves its record', async () => {
    const session = opened(waiting('later_write', 'create', later(50))).asLocal()
    const running = session.call('later_write', {})
    await house?.close()
    expect(await running).toEqual({ n: 1 })
    expect(lines.map(({ event, outcome }) => [event, outcome])).toEqual([['call', 'intent'], ['call', 'ok']])
  })

  it('stops a call that does not end, and is over once its record is left', async () => {
    let aborted = false
    const stuck = waiting('later_never', 'create', (signal) => new Promise(() => signal.addEventListener('abort', () => (aborted = true))))
    const running = opened(stuck).asLocal().call('later_never', {})
    const refused = expect(running).rejects.toMatchObject({ code: 'server.closed' })
    await house?.close()
    await refused
    expect(aborted).toBe(true)
    expect(lines.map(({ event, outcome }) => [event, outcome])).toEqual([['call', 'intent'], ['call', 'refused']])
  })

  it('comes once, whoever asks for it again', async () => {
    const one = opened()
    await Promise.all([one.close(), one.close()])
    await one.close()
  })
})

describe('a principal', () => {
  it.each([undefined, null, 5, { toString: () => 'root' }])('whose subject is %j is none: it would have its scopes, and no record', (subject) => {
    expect(() => open().as({ subject: subject as string, scopes: ['tools:read'] })).toThrow(/^a subject is a text/)
  })

  it.each([undefined, null, 'tools:read', 5, ['tools:read', 5]])('whose scopes are %j is none', (scopes) => {
    expect(() => open().as({ subject: 'a', scopes: scopes as string[] })).toThrow('scopes are a list of texts')
  })

  it('has the scopes of any iterable, and none without a name', async () => {
    expect(await open().as({ subject: 'a', scopes: new Set(['tools:read']) }).call('calculate', { expression: '1' })).toEqual({ result: 1 })
    await expect(open().as({ subject: '', scopes: ['tools:read'] }).call('calculate', { expression: '1' })).rejects.toMatchObject({ code: 'component.unknown' })
  })
})

it('a question that the program does not answer is closed when its time is over', async () => {
  const session = open({ askTimeoutSeconds: 0.05, levelOverrides: ['calculate=CONFIRM'] }).asLocal()
  const call = (onQuestions: () => Promise<never>) => session.call('calculate', { expression: '1' }, { onQuestions })
  await expect(call(() => new Promise(() => {}))).rejects.toMatchObject({ code: 'consent.unavailable', hint: 'nobody answered in time' })
  await expect(call(() => Promise.reject(new Error('no line')))).rejects.toThrow(Fault)
})
