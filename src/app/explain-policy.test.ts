/** What is explained is what happens: each verdict is held against the real call, each change against the call after it. */

import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import * as fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { loadSettings } from '../config/index.ts'
import { openMachine } from '../tools/files/machine.fixture.ts'
import type { Machine } from '../tools/files/machine.fixture.ts'
import { agrees, CALLS, explainOn, REAL_CALLS, SECTIONS, turns } from './explain-policy.fixture.ts'
import type { Made } from './explain-policy.fixture.ts'
import { explainPolicy } from './explain-policy.ts'

let machine: Machine | undefined
afterEach(async () => {
  await machine?.close()
  machine = undefined
})

const explain = (security: object, call: Made, more: object = {}) => explainOn((machine ??= openMachine(security, more)), security, call, more)

describe('a verdict', () => {
  it('is what becomes of the real call, with nobody there to ask', async () => {
    await fc.assert(fc.asyncProperty(fc.constantFrom(...SECTIONS), fc.constantFrom(...REAL_CALLS), agrees), { numRuns: 8 })
  })

  it('is found without running anything or leaving anything', async () => {
    machine = openMachine({ default_shell_access: true })
    const before = machine.picture()
    for (const call of CALLS) await explain({ default_shell_access: true }, call)
    expect(machine.picture()).toEqual(before)
    expect(existsSync(join(dirname(machine.home), 'data'))).toBe(false)
    expect(machine.app.rows).toEqual([])
  })
})

describe('the smallest change', () => {
  it('turns the verdict as it says', async () => {
    await fc.assert(fc.asyncProperty(fc.constantFrom(...SECTIONS), fc.constantFrom(...CALLS), turns), { numRuns: 8 })
  })

  it.each<[string, readonly [string, object]]>([
    ['of a start-up file of the shell', ['write_file', { path: '.bashrc', content: 'x' }]],
    ['of the home itself', ['delete_file', { path: '~' }]],
    ['of a character that a shell reads', ['run_command', { command: 'uname', args: [';'] }]],
  ])('does not open the protection %s', async (_what, call) => {
    expect(await explain({ default_shell_access: true }, call)).toMatchObject({ verdict: 'refused', changes: [] })
  })

  it('that an example of the operator speaks against says so', async () => {
    const security = { denied_patterns: ['notes/**'], rules: [{ kind: 'read', match: ['~/notes/todo.md'] }] }
    expect((await explain(security, ['read_file', { path: '~/notes/todo.md' }])).changes).toMatchObject([{ to: 'allow', breaks: [expect.stringContaining('rule 1 of security.rules')] }])
  })
})

describe('the rule', () => {
  it.each<[string, object, readonly [string, object], object]>([
    ['built in', {}, ['read_file', { path: '.ssh/id_ed25519' }], { says: '.ssh', list: 'security.denied_names', from: 'built in' }],
    ['in a list of the config file', { denied_patterns: ['a/**', 'notes/**'] }, ['read_file', { path: 'notes/todo.md' }], { says: 'notes/**', list: 'security.denied_patterns', from: 'config file', file: 'config.json', line: 6 }],
    ['of a level', { tool_overrides: { delete_file: 'DENIED' } }, ['delete_file', { path: 'notes/todo.md' }], { list: 'security.tool_overrides.delete_file', from: 'config file', line: 5 }],
    ['of the folders', { allowed_roots: ['~/notes'] }, ['read_file', { path: 'project/README.md' }], { list: 'security.allowed_roots', from: 'config file', line: 4 }],
    ['of programs that are off', {}, ['run_command', { command: 'df', args: [] }], { list: 'security.default_shell_access', from: 'built in' }],
    ['of an option', { default_shell_access: true }, ['run_command', { command: 'df', args: ['--evil'] }], { says: expect.stringContaining('option'), from: 'built in' }],
    ['of the profile', {}, ['code_search', { query: 'x' }], { list: 'profile', from: 'config file', line: 2 }],
    ['of this program’s own places', {}, ['read_file', { path: '../data/state.key' }], { from: 'built in' }],
  ])('is %s', async (_what, security, call, rule) => {
    expect((await explain(security, call)).rule).toMatchObject(rule)
  })

  it('that set a level is shown where it refuses nothing', async () => {
    expect(await explain({ tool_overrides: { delete_file: 'SAFE' } }, ['delete_file', { path: 'notes/todo.md' }])).toMatchObject({ verdict: 'runs', levelRule: { list: 'security.tool_overrides.delete_file', line: 5 } })
  })
})

it('takes what was typed for a text where the tool wants one, and shows the level that is set where nothing came to it', async () => {
  machine = openMachine()
  const call = { tool: 'write_file', args: { path: 'n.txt', content: 1 } }
  const explained = async (more: object) => {
    const loaded = loadSettings({ file: JSON.stringify({ profile: 'assistant', security: { tool_overrides: { write_file: 'CONFIRM' } } }) })
    return explainPolicy({ loaded, options: { home: machine?.home ?? '', cwd: machine?.home ?? '' }, config: undefined, call: { ...call, ...more } })
  }
  expect(await explained({ texts: { path: 'n.txt', content: '1' } })).toMatchObject({ verdict: 'asks', level: { value: 'CONFIRM', risen: false } })
  expect(await explained({})).toMatchObject({ verdict: 'refused', refused: { code: 'input.invalid' }, level: { value: 'CONFIRM', risen: false } })
})

it.each<[string, object, string]>([['safe_fetch', { url: 'http://127.0.0.1/' }, 'public addresses'], ['doc_read', { path: '../x' }, 'documents']])('says of %s what is checked only when it is made', async (tool, args, part) => {
  expect((await explain({}, [tool, args])).later.join()).toContain(part)
})

it('says where each path leads, and in which folder', async () => {
  machine = openMachine()
  machine.link('latest', 'notes/todo.md')
  const { paths, level } = await explain({}, ['write_file', { path: 'latest', content: 'x' }])
  expect(level).toEqual({ value: 'CONFIRM', declared: 'SAFE', risen: true })
  expect(paths).toMatchObject([{ path: 'latest', use: 'write', allowed: true, resolved: [`${machine.home}/latest`, `${machine.home}/notes/todo.md`], root: { says: machine.home } }])
})

it('names the grant that is missing, where grants were written', async () => {
  const policy = { authzPolicy: JSON.stringify({ grants: [{ subject: 'local', actions: ['read'], kinds: ['host'], prefix: '' }] }) }
  const { verdict, rule, changes } = await explain({}, ['list_files', { path: 'notes' }], policy)
  expect([verdict, rule?.list, changes[0]?.to]).toEqual(['refused', 'authzPolicy', 'allow'])
  expect(JSON.parse(String(changes[0]?.changes[0]?.value))).toMatchObject({ grants: [{ kinds: ['host'] }, { subject: 'local', actions: ['read'], kinds: ['local_file'], prefix: `${machine?.home}/notes` }] })
})
