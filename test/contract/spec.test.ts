import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { DEFAULT_GRANTS } from '../../src/policy/grants.ts'
import { PROFILES, catalog } from '../../src/tools/catalog.ts'
import { anInspector, everyTool, listedTools } from './catalogue.ts'
import type { JsonObject } from './catalogue.ts'

const FILE = new URL('../../../shared/spec/catalog.json', import.meta.url)

type Words = Readonly<Record<string, unknown>>

interface SpecTool {
  readonly name: string
  readonly family: string
  readonly scope: string
  readonly perMinute: number
  readonly hints: readonly string[]
  readonly level: string
  readonly action: string | null
  readonly resourceKind: string | null
  readonly params: Readonly<Record<string, string>>
  readonly result: Words | string
}

interface Spec {
  readonly profiles: Words
  readonly defaultGrants: readonly Words[]
  readonly resources: readonly { readonly uri: string; readonly scope: string; readonly family: string }[]
  readonly prompts: readonly { readonly name: string; readonly scope: string; readonly family: string; readonly params: Words }[]
  readonly tools: readonly SpecTool[]
}

const spec: Spec | undefined = existsSync(FILE) ? (JSON.parse(readFileSync(FILE, 'utf8')) as Spec) : undefined
const tools = new Map(spec?.tools.map((tool) => [tool.name, tool]))

const JSON_TYPES = ['string', 'integer', 'number', 'boolean', 'object']
const PARAM = /^(?<kind>[a-z|]+)(?<list>\[\])?(?:(?<optional>\?)|=(?<fallback>\S+))?(?: \(.*\))?$/

/** `integer=0 (to the end)` is an optional integer; `pin|unpin` is one of two words; `object?` has no default. */
function paramOf(text: string): { readonly type: unknown; readonly required: boolean; readonly fallback: unknown } {
  const { kind = '', list, optional, fallback } = PARAM.exec(text)?.groups ?? {}
  const type = list !== undefined ? 'array' : JSON_TYPES.includes(kind) ? kind : kind.split('|')
  return { type, required: optional === undefined && fallback === undefined, fallback: fallback === undefined ? undefined : JSON.parse(fallback) }
}

/** JSON Schema's word for a field, or its words where it is a choice. */
const typeOf = (schema: Words): unknown => schema['enum'] ?? (schema['const'] === undefined ? schema['type'] : [schema['const']])

const paramsOf = ({ properties = {}, required = [] }: JsonObject): Readonly<Record<string, ReturnType<typeof paramOf>>> =>
  Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, { type: typeOf(schema), required: required.includes(name), fallback: schema['default'] }]))

/** Resources beyond the published ones. */
const OWN_RESOURCES: ReadonlySet<string> = new Set(['sql://schema'])

describe.skipIf(!spec)('the published catalogue (skipped where ../shared/spec/catalog.json is absent)', () => {
  it.each(everyTool)('agrees on who may call %s, how often and at what level', (name, { scope, perMinute, level }, family) => {
    expect({ name, family, scope, perMinute, level }).toEqual(pick(tools.get(name)))
  })

  it.each(everyTool)('agrees on the hints of %s', async (name) => {
    const listed = (await listedTools()).find((tool) => tool.name === name)
    const hinted = (hint: string): boolean => tools.get(name)?.hints.includes(hint) === true
    expect(listed?.annotations).toMatchObject({ readOnlyHint: hinted('readOnly'), openWorldHint: hinted('openWorld') })
    // The other two mean something only where a tool is not read-only (MCP 2025-11-25, ToolAnnotations).
    if (!hinted('readOnly')) expect(listed?.annotations).toMatchObject({ destructiveHint: hinted('destructive'), idempotentHint: hinted('idempotent') })
  })

  it.each(everyTool)('agrees on the arguments of %s', async (name) => {
    const listed = (await listedTools()).find((tool) => tool.name === name)
    const expected = Object.entries(tools.get(name)?.params ?? {}).map(([param, text]) => [param, paramOf(text)])
    const params = paramsOf(listed?.inputSchema ?? {})
    expect(params).toMatchObject(Object.fromEntries(expected))
    // What we add, a caller who knows the published arguments alone never has to give.
    for (const [param, { required }] of Object.entries(params)) if (!expected.some(([published]) => published === param)) expect([param, required]).toEqual([param, false])
  })

  it.each(everyTool)('finds at least the published fields in what %s answers', async (name) => {
    const listed = (await listedTools()).find((tool) => tool.name === name)
    const { properties = {}, required = [] } = listed?.outputSchema ?? {}
    const { result = {} } = tools.get(name) ?? {}
    // Some answers are published as "as another tool's".
    const other = typeof result === 'string' ? tools.get(result.replace(/^as /, ''))?.result : result
    const fields = Object.entries(other as Words)
    expect(fields.length).toBeGreaterThan(0)
    for (const [field, text] of fields) {
      expect(required).toContain(field)
      const word = /^(string|integer|number|boolean|object)(?: \(.*\))?$/.exec(String(text))?.[1]
      if (word !== undefined) expect([field, properties[field]?.['type']]).toEqual([field, word])
    }
  })

  it.each(everyTool)('agrees on what %s does to what', async (name, tool) => {
    const { action = null, resourceKind } = tools.get(name) ?? {}
    const parsed = tool.input.parse(tool.examples[0]?.input)
    const touched = parsed.ok ? await tool.touches(parsed.value, anInspector) : []
    if (action === null) return expect(touched).toEqual([])
    const kinds = resourceKind?.split('|') ?? []
    expect(touched.filter((one) => one.action === action.split(' ')[0] && kinds.includes(one.kind))).not.toEqual([])
  })

  it('agrees on resources and prompts', () => {
    const resources = catalog.flatMap(({ name: family, resources: all }) => all.map(({ uri, scope }) => ({ uri, scope, family }))).filter(({ uri }) => !OWN_RESOURCES.has(uri))
    for (const resource of resources) expect(spec?.resources).toContainEqual(expect.objectContaining(resource))
    const prompts = catalog.flatMap(({ name: family, prompts: all }) => all.map(({ name, scope }) => ({ name, scope, family })))
    for (const prompt of prompts) expect(spec?.prompts).toContainEqual(expect.objectContaining(prompt))
  })

  it('agrees on profiles and default grants', () => {
    const { full, ...profiles } = spec?.profiles ?? {}
    expect(full).toBeDefined()
    expect(PROFILES).toEqual(profiles)
    expect(DEFAULT_GRANTS).toEqual(spec?.defaultGrants)
  })
})

const pick = (tool: SpecTool | undefined): unknown => tool && { name: tool.name, family: tool.family, scope: tool.scope, perMinute: tool.perMinute, level: tool.level }
