import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ACTIONS, RESOURCE_KINDS } from '../../src/kernel/access.ts'
import { codeOf } from '../guarantees/probes.ts'
import { anInspector, everyTool, listedTools, wholeApp } from './catalogue.ts'

const HINTS = ['destructiveHint', 'idempotentHint', 'openWorldHint', 'readOnlyHint']

it('there are tools, and no two of one name', () => {
  const names = everyTool.map(([name]) => name)
  expect(names.length).toBeGreaterThan(0)
  expect(new Set(names).size).toBe(names.length)
})

describe.each(everyTool)('%s', (name, tool, family) => {
  const file = `src/tools/${family}/${name.replaceAll('_', '-')}.ts`

  it('lives in the file of its name, with a test beside it', () => {
    expect(readFileSync(file, 'utf8')).toContain(`name: '${name}'`)
    expect([file, existsSync(file.replace(/\.ts$/, '.test.ts'))]).toEqual([file, true])
  })

  it('has a title and a summary that a model can read at a glance', () => {
    expect(tool.title).toMatch(/^[A-Z][^.\n]{2,40}$/)
    expect(tool.summary).toMatch(/^[A-Z][^\n]*\.$/)
    expect(tool.summary.length).toBeLessThanOrEqual(200)
  })

  it('has examples, and each is input that it takes', async () => {
    const { call } = wholeApp()
    expect(tool.examples.length).toBeGreaterThan(0)
    for (const { title, input } of tool.examples) {
      expect(title).toMatch(/^[A-Z][^\n]{2,60}$/)
      expect(tool.input.parse(input)).toMatchObject({ ok: true })
      expect(['fault', 'input.invalid', 'component.unknown']).not.toContain(codeOf(await call(name, input)))
    }
  })

  it('names what an example touches in words that grants know', async () => {
    for (const { input } of tool.examples) {
      const parsed = tool.input.parse(input)
      const touched = parsed.ok ? await tool.touches(parsed.value, anInspector) : undefined
      for (const { action, kind, id } of touched ?? []) {
        expect(ACTIONS).toContain(action)
        expect(RESOURCE_KINDS).toContain(kind)
        expect(typeof id).toBe('string')
      }
      expect(touched).toBeDefined()
    }
  })

  it('refuses fields that it does not know', () => {
    expect(tool.input.parse({ ...(tool.examples[0]?.input as object), made_up_field: 1 })).toMatchObject({ ok: false })
  })

  it('sends all four hints, each true or false', async () => {
    const listed = (await listedTools()).find((one) => one.name === name)
    expect(Object.keys(listed?.annotations ?? {}).sort()).toEqual(HINTS)
    expect(Object.values(listed?.annotations ?? {}).every((hint) => typeof hint === 'boolean')).toBe(true)
  })

  it('answers no more than the limit, however much the world holds', async () => {
    const [limit, around] = [8_192, 2_048]
    const huge = 'huge '.repeat(200_000)
    const { call } = wholeApp(
      { files: { text: async () => huge }, egress: { get: async (url) => ({ status: 200, contentType: huge, body: huge, bytes: Buffer.from(huge), finalUrl: url }) } },
      { outputMaxBytes: limit },
    )
    for (const { input } of tool.examples) expect(Buffer.byteLength(JSON.stringify(await call(name, input)))).toBeLessThan(limit + around)
  })
})
