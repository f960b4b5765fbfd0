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
