import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { defineJsonTool, defineTool } from './tool.ts'

const facts = {
  name: 'my_tool', title: 'Mine', summary: 'Says one.', scope: 'tools:read', level: 'SAFE', effect: 'read', idempotent: true, openWorld: false,
  uses: [], examples: [], touches: () => [], run: () => ({ n: 1 }),
} as const
const own = (over: object): unknown => defineTool({ ...facts, input: z.strictObject({}), output: z.strictObject({ n: z.number() }), ...over })
const ownJson = (over: object): unknown => defineJsonTool({ ...facts, input: { type: 'object' }, origin: 'outside', ...over })

describe('a tool of somebody’s own', () => {
  it.each([
    ['level', 'confirm'], ['level', 'Restricted'], ['level', undefined], ['effect', 'write'], ['effect', undefined],
    ['perMinute', Number.NaN], ['perMinute', 0], ['perMinute', -1], ['perMinute', 1.5], ['perMinute', '5'], ['perMinute', Number.POSITIVE_INFINITY],
  ])('is not declared with %s %s, which would guard nothing', (fact, value) => {
    for (const declare of [own, ownJson]) expect(() => declare({ [fact]: value })).toThrow(new RegExp(`^my_tool: ${fact} is `))
  })

  it('over JSON Schemas is not declared with an origin that nobody knows, for what comes from outside would not be fenced', () => {
    expect(() => ownJson({ origin: 'Outside' })).toThrow('my_tool: origin is one of outside, server')
  })

  it('is declared with every fact that the chain knows', () => {
    for (const declare of [own, ownJson]) expect(() => declare({ level: 'DENIED', effect: 'execute', perMinute: 1 })).not.toThrow()
  })
})
