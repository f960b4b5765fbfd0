import { expect } from 'vitest'
import { defineJsonTool } from '../../../src/kernel/tool.ts'
import { probe } from '../probes.ts'
import type { Area } from '../proves.ts'

const loose = defineJsonTool({
  name: 'loose', title: 'Loose', summary: 'A probe.', scope: 'tools:read', level: 'SAFE', effect: 'read', idempotent: true, openWorld: false, perMinute: 60, uses: [],
  input: { type: 'object' }, origin: 'server', examples: [],
  output: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'], additionalProperties: false },
  touches: () => [],
  run: () => ({ n: 'ZXQV' }),
})

export const output: Area = (proves) => {
  proves('output.shape', 'an answer that is not what was promised does not leave', async ({ open }) => {
    const tools = [loose, probe({ run: () => ({ text: 'fine', more: 'ZXQV' }) }), probe({ name: 'empty', run: () => ({}) })]
    const { call } = open({ options: { tools } })
    for (const name of ['loose', 'probe', 'empty']) {
      const outcome = await call(name)
      expect(outcome.is).toBe('fault')
      expect(JSON.stringify(outcome)).not.toContain('ZXQV')
    }
  })
}
