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

  it.each([
    ['run', undefined], ['run', 'n'], ['touches', undefined], ['touches', []], ['rise', 'CONFIRM'], ['replaces', {}], ['title', ''], ['summary', undefined], ['summary', 5],
    ['scope', undefined], ['scope', ''], ['scope', 'tools'], ['scope', 'tools:read write'], ['uses', undefined], ['uses', 'corpus'], ['uses', [5]], ['examples', undefined],
    ['idempotent', undefined], ['openWorld', 'no'], ['scansSecrets', 'no'], ['rate', 5], ['input', undefined], ['input', null], ['output', 5],
  ])('is not declared where %s is %j, which would be a fault of the first call or guard nothing', (fact, value) => {
    for (const declare of [own, ownJson]) expect(() => declare({ [fact]: value })).toThrow(new RegExp(`^my_tool: ${fact} is `))
  })

  it.each([undefined, null, 5, 'My-Tool', ['my_tool']])('is not declared with the name %j', (name) => {
    for (const declare of [own, ownJson]) expect(() => declare({ name })).toThrow(/^a tool name is snake_case/)
  })

  it('is not declared over schemas of the other kind, or with half of a schema of its own', () => {
    for (const input of [{ type: 'object' }, z.string()]) expect(() => own({ input })).toThrow('my_tool: input is an object schema of zod 4')
    for (const input of [z.strictObject({}), { parse: () => ({ ok: true, value: {} }) }]) expect(() => ownJson({ input })).toThrow('my_tool: input is a JSON Schema, or { parse, json, names }')
  })

  it('of a class is checked by what is kept of it, which its methods are not', () => {
    class Mine {
      run = undefined
    }
    Object.assign(Mine.prototype, { ...facts, input: z.strictObject({}), output: z.strictObject({}) })
    expect(() => defineTool(new Mine() as never)).toThrow(TypeError)
  })

  it('over JSON Schemas is not declared with an origin that nobody knows, for what comes from outside would not be fenced', () => {
    expect(() => ownJson({ origin: 'Outside' })).toThrow('my_tool: origin is one of outside, server')
  })

  it('is declared with every fact that the chain knows', () => {
    for (const declare of [own, ownJson]) expect(() => declare({ level: 'DENIED', effect: 'execute', perMinute: 1 })).not.toThrow()
  })
})
