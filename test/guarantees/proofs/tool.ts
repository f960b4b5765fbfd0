import { expect } from 'vitest'
import * as z from 'zod'
import { untrusted } from '../../../src/kernel/leaf.ts'
import { defineTool } from '../../../src/kernel/tool.ts'
import { probe } from '../probes.ts'
import type { Area } from '../proves.ts'

const build = (output: z.ZodObject) =>
  defineTool({
    name: 'built', title: 'Built', summary: 'A probe.', scope: 'tools:read', level: 'SAFE', effect: 'read', idempotent: true, openWorld: false, perMinute: 60, uses: [],
    input: z.strictObject({}), output, examples: [], touches: () => [], run: () => ({}),
  })

export const tool: Area = (proves) => {
  proves('tool.only-what-it-names', 'a tool that names the clock finds the clock alone', async ({ open }) => {
    const handed: string[] = []
    const tools = [probe({ uses: ['clock'], run: (_input, services) => void handed.push(...Object.keys(services)) }), probe({ name: 'none', run: (_input, services) => void handed.push(...Object.keys(services)) })]
    const { call } = open({ options: { tools } })
    for (const name of ['probe', 'none']) await call(name)
    expect(handed).toEqual(['clock'])
  })

  proves('tool.origins', 'a text of no declared origin is an error when the tool is defined, however deep it stands', () => {
    for (const hidden of [z.string(), z.array(z.string()), z.strictObject({ deep: z.string().nullable() }), z.unknown(), z.record(z.string(), z.number())]) {
      expect(() => build(z.strictObject({ fine: untrusted(z.string()), hidden }))).toThrow(TypeError)
    }
    expect(() => build(z.strictObject({ fine: untrusted(z.string()), count: z.int() }))).not.toThrow()
  })
}
