import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as fc from 'fast-check'
import { ACTIONS, RESOURCE_KINDS } from '../../src/kernel/access.ts'
import { assistantFamilies, ASSISTANT_PROFILE, catalog } from '../../src/tools/catalog.ts'
import { codeOf, openMachine } from '../../src/tools/files/machine.fixture.ts'
import type { Machine } from '../../src/tools/files/machine.fixture.ts'
import { anInspector } from './catalogue.ts'
import type { ListedTool } from './catalogue.ts'

/** Who may call it, how much trust it needs, what it does, and what it is asked and answers: facts that nothing changes by accident. */
const PINNED: Readonly<Record<string, string>> = {
  copy_file: 'files:write SAFE replace | source target | path replaced size',
  delete_file: 'files:write CONFIRM delete | path | path',
  edit_file: 'files:write CONFIRM replace | path old_text new_text | path replaced size',
  find_files: 'files:read SAFE read | path? pattern max_results? | paths truncated',
  list_files: 'files:read SAFE read | path? | path entries truncated',
  move_file: 'files:write CONFIRM replace | source target | path replaced size',
  search_files: 'files:read SAFE read | path? query max_results? | matches truncated',
  write_file: 'files:write SAFE replace | path content | path replaced size',
  git_branches: 'git:read SAFE read | path? | current local remote',
  git_diff: 'git:read SAFE read | path? from? to? | files truncated',
  git_info: 'git:read SAFE read | path? | root branch head remotes tags',
  git_log: 'git:read SAFE read | path? ref? max_results? | commits',
  git_status: 'git:read SAFE read | path? | branch changes truncated',
  cpu_info: 'host:read SAFE read |  | model cores speed_mhz load',
  disk_usage: 'host:read SAFE read |  | disks',
  memory_info: 'host:read SAFE read |  | total_bytes available_bytes swap_total_bytes swap_free_bytes',
  network_info: 'host:read SAFE read |  | interfaces',
  process_list: 'host:read SAFE read | max_results? | processes count',
  system_info: 'host:read SAFE read |  | hostname platform distribution release architecture',
  uptime: 'host:read SAFE read |  | seconds',
  run_command: 'host:run CONFIRM execute | command args? | output errors exit_code ended sandboxed',
}
const HINTS = ['destructiveHint', 'idempotentHint', 'openWorldHint', 'readOnlyHint']
const tools = assistantFamilies.flatMap(({ name: family, tools: all }) => all.map((tool) => [tool.name, tool, family] as const))

let machine: Machine
let listed: ReadonlyMap<string, ListedTool>
beforeAll(async () => {
  machine = openMachine({ default_shell_access: true })
  const outcome = await machine.app.dispatch({ kind: 'listing', of: 'tools' })
  const items = outcome.is === 'ok' ? (outcome.answer.value['items'] as readonly ListedTool[]) : []
  listed = new Map(items.map((tool) => [tool.name, tool]))
})
afterAll(() => machine.close())

it('there are twenty-one, of three families that the assistant’s profile alone serves', () => {
  expect(tools.map(([name]) => name).sort()).toEqual(Object.keys(PINNED).sort())
  expect(tools).toHaveLength(21)
  expect(catalog.some(({ name }) => ['files', 'git', 'host'].includes(name))).toBe(false)
  expect(assistantFamilies.every(({ name }) => ASSISTANT_PROFILE.includes(name))).toBe(true)
})

describe.each(tools)('%s', (name, tool, family) => {
  const folder = `src/tools/${family}`

  it('is what it says, to whom it says it', () => {
    const { inputSchema, outputSchema } = listed.get(name) ?? {}
    const { properties = {}, required = [] } = inputSchema ?? {}
    const asked = Object.keys(properties).map((field) => (required.includes(field) ? field : `${field}?`))
    const told = Object.keys(outputSchema?.properties ?? {}).filter((field) => field !== 'notice')
    expect(`${tool.scope} ${tool.level} ${tool.effect} | ${asked.join(' ')} | ${told.join(' ')}`).toBe(PINNED[name])
  })

  it('lives in the file of its name, and a test of its family calls it', () => {
    expect(readFileSync(`${folder}/${name.replaceAll('_', '-')}.ts`, 'utf8')).toContain(`name: '${name}'`)
    const tests = readdirSync(folder).filter((file) => file.endsWith('.test.ts')).map((file) => readFileSync(`${folder}/${file}`, 'utf8'))
    expect(tests.some((text) => text.includes(`'${name}'`))).toBe(true)
  })

  it('has a title, a summary and examples that it takes', async () => {
    expect(tool.title).toMatch(/^[A-Z][^.\n]{2,40}$/)
    expect(tool.summary).toMatch(/^[A-Z][^\n]*\.$/)
    expect(tool.summary.length).toBeLessThanOrEqual(200)
    expect(tool.examples.length).toBeGreaterThan(0)
    for (const { title, input } of tool.examples) {
      expect(title).toMatch(/^[A-Z][^\n]{2,60}$/)
      expect(tool.input.parse(input)).toMatchObject({ ok: true })
      expect(['fault', 'input.invalid', 'component.unknown']).not.toContain(codeOf(await machine.call(name, input as object, 'refuses')))
    }
  })

  it('names what an example touches in words that grants know', async () => {
    for (const { input } of tool.examples) {
      const parsed = tool.input.parse(input)
      const touched = parsed.ok ? await tool.touches(parsed.value, anInspector) : undefined
      expect(touched).toBeDefined()
      for (const { action, kind } of touched ?? []) expect([(ACTIONS as readonly string[]).includes(action), (RESOURCE_KINDS as readonly string[]).includes(kind)]).toEqual([true, true])
      expect(family === 'host' && name !== 'run_command' ? true : (touched ?? []).length > 0).toBe(true)
    }
  })

  it('refuses any field that it does not know, also one that would stand for a person', async () => {
    const input = tool.examples[0]?.input as object
    for (const extra of ['made_up', 'confirm', 'confirmed', 'approve', 'level', 'force', 'yes', 'constructor', 'run', 'cwd']) expect([extra, codeOf(await machine.call(name, { ...input, [extra]: true }))]).toEqual([extra, 'input.invalid'])
  })

  it('answers any arguments with a refusal or an answer, never with a fault, and asks nobody about bad ones', async () => {
    const fields = Object.keys(listed.get(name)?.inputSchema.properties ?? {})
    const odd = fc.oneof(fc.anything(), fc.string({ unit: 'binary' }), fc.constantFrom('\0', '../../../etc', '~root', 'x'.repeat(5_000), -1, 1e99, Number.NaN, null, [], {}))
    const args = fc.dictionary(fields.length > 0 ? fc.constantFrom(...fields) : fc.string(), odd)
    await fc.assert(fc.asyncProperty(args, async (given) => {
      const code = codeOf(await machine.call(name, given, 'refuses'))
      expect(code).not.toBe('fault')
    }), { numRuns: family === 'git' ? 5 : 25 })
    for (const given of [1, 'x', true, [], [1]]) expect([given, codeOf(await machine.call(name, given as unknown as object))]).toEqual([given, 'input.invalid'])
  })

  it('sends all four hints, true to what it does', () => {
    const annotations = listed.get(name)?.annotations ?? {}
    expect(Object.keys(annotations).sort()).toEqual(HINTS)
    // What is run only looks, so it destroys nothing.
    expect(annotations).toMatchObject({ readOnlyHint: tool.effect === 'read', openWorldHint: false, ...(tool.effect !== 'read' && { destructiveHint: tool.effect !== 'execute' }) })
  })

  it('is not there without its scope', async () => {
    const stranger = machine.app.app.callerOf('stranger', ['tools:read'])
    expect(codeOf(await machine.app.app.dispatch({ kind: 'tool', name, args: tool.examples[0]?.input }, stranger, { door: 'http' }))).toBe('component.unknown')
  })
})
