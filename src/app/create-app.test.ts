import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { ConfigError } from '../config/index.ts'
import { defineTool } from '../kernel/tool.ts'
import { testApp } from '../testing/index.ts'

const folder = mkdtempSync(join(tmpdir(), 'arrowhead-app-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('a policy that cannot be applied stops the start', () => {
  it.each([
    ['a grant with an unknown action', { authzPolicy: '{"grants":[{"subject":"*","actions":["fly"],"prefix":""}]}' }, /grant 1.*actions/],
    ['a switched-off tool that does not exist', { disabledTools: ['calculat'] }, /DISABLED_TOOLS/],
    ['a level for a tool that does not exist', { levelOverrides: ['nope=DENIED'] }, /LEVEL_OVERRIDES/],
    ['an opt-in for a tool that does not exist', { allowRestricted: ['nope'] }, /ALLOW_RESTRICTED/],
  ])('%s', (_what, settings, message) => {
    expect(() => testApp({ settings })).toThrow(ConfigError)
    expect(() => testApp({ settings })).toThrow(message)
  })
})

describe('the profile and the kill switch', () => {
  const names = async (settings: object) => {
    const outcome = await testApp({ settings }).dispatch({ kind: 'listing', of: 'tools' })
    return outcome.is === 'ok' ? (outcome.answer.value['items'] as { name: string }[]).map(({ name }) => name) : []
  }

  it('leave out what is switched off, in lists and in calls', async () => {
    expect(await names({ disabledTools: ['calculate'] })).not.toContain('calculate')
    expect(await names({})).toContain('calculate')
    const { call } = testApp({ settings: { disabledTools: ['calculate'] } })
    expect(await call('calculate', { expression: '1' })).toMatchObject({ refusal: { code: 'component.unknown' } })
  })

  it('follow a file while the server runs, and keep what was off when the file goes away', async () => {
    const file = join(folder, 'off.txt')
    const { app, call } = testApp({ settings: { killSwitchFile: file } })
    const is = async () => (await call('calculate', { expression: '1' })).is
    expect(await is()).toBe('ok')
    writeFileSync(file, 'calculate # until it is mended\nno_such_tool\n')
    await expect.poll(is, { timeout: 5_000 }).toBe('refused')
    renameSync(file, `${file}.gone`)
    await new Promise((resolve) => setTimeout(resolve, 1_200))
    expect(await is()).toBe('refused')
    writeFileSync(file, '\n')
    await expect.poll(is, { timeout: 5_000 }).toBe('ok')
    await app.close()
  })
})

it('adds scopes by the operator’s map, and by nothing else', async () => {
  const { app } = testApp({ settings: { scopeExpansions: '{"admin":["tools:read"]}' } })
  expect([...app.callerOf('ada', ['admin']).scopes].sort()).toEqual(['admin', 'tools:read'])
  expect([...app.callerOf('ada', ['tools']).scopes]).toEqual(['tools'])
})

it('counts a tool that says no ceiling of its own by the one that the operator set for all of those', async () => {
  const tool = (name: string, own: { perMinute?: number }) => defineTool({
    name, title: name, summary: 'For a test.', scope: 'tools:read', level: 'SAFE', effect: 'read', idempotent: true, openWorld: false, ...own, uses: [],
    input: z.strictObject({}), output: z.strictObject({ done: z.boolean() }), examples: [],
    touches: () => [],
    run: () => ({ done: true }),
  })
  const CEILING: object = { defaultToolPerMinute: 2 }
  const { call } = testApp({ settings: CEILING, options: { tools: [tool('plain', {}), tool('ample', { perMinute: 3 })] } })
  const three = async (name: string) => [await call(name, {}), await call(name, {}), await call(name, {})].map(({ is }) => is)
  expect(await three('plain')).toEqual(['ok', 'ok', 'refused'])
  expect(await three('ample')).toEqual(['ok', 'ok', 'ok'])
})
