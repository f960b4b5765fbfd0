import fc from 'fast-check'
import { expect } from 'vitest'
import { codeOf, probe, said } from '../probes.ts'
import type { Area } from '../proves.ts'

const WRONG: readonly unknown[] = [{ text: 1 }, { text: 'x'.repeat(101) }, { other: 'x' }, { text: 'x', other: 1 }, { TEXT: 'x' }, [], 'text', 7, { text: null }, { text: { toString: 'x' } }]

export const shape: Area = (proves) => {
  proves('shape.strict', 'nothing but what the schema says reaches the tool', async ({ open }) => {
    const ran: unknown[] = []
    const { call } = open({ options: { tools: [probe({ run: (input) => void ran.push(input) })] } })
    for (const args of WRONG) expect(codeOf(await call('probe', args))).toBe('input.invalid')
    expect(codeOf(await call('probe', { text: 'right' }))).toBe('ok')
    expect(ran).toEqual([{ text: 'right' }])
  })

  proves('shape.no-echo', 'whatever keys and values are sent, none comes back in the refusal', async ({ open }) => {
    const { call } = open({ settings: { rateLimitEnabled: false }, options: { tools: [probe()] } })
    const marked = fc.string({ maxLength: 20 }).map((text) => `ZXQV${text}`)
    const args = fc.oneof(fc.dictionary(marked, fc.jsonValue(), { minKeys: 1 }), fc.record({ text: fc.array(marked) }), fc.dictionary(marked, marked, { minKeys: 1 }), marked)
    await fc.assert(fc.asyncProperty(args, async (hostile) => {
      const text = said(await call('probe', hostile))
      expect(text).toMatch(/^input\.invalid: /)
      expect(text).not.toContain('ZXQV')
    }), { numRuns: 200 })
  })
}
