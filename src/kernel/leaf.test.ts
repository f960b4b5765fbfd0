import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { echoed, holdsOutside, mapLeaves, mapStrings, ours, outsideLine, planOf, unlisted, untrusted } from './leaf.ts'

describe('planOf', () => {
  it.each([
    ['a plain string', z.object({ a: z.string() })],
    ['a string in a list', z.object({ a: z.array(z.object({ b: z.string().nullable() })) })],
    ['a free-form value', z.object({ a: z.record(z.string(), z.unknown()) })],
    ['a union', z.object({ a: z.union([z.string(), z.number()]) })],
  ])('does not build with %s of no declared origin', (_what, schema) => {
    expect(() => planOf(schema)).toThrow(/output\.a.*no declared origin/)
  })

  it('needs no origin for numbers, flags and closed words', () => {
    expect(planOf(z.object({ n: z.int(), b: z.boolean(), e: z.enum(['a', 'b']), l: z.literal('x') }))).toBeUndefined()
  })

  it('keeps a mark to the one use of a shared schema', () => {
    const path = z.string()
    expect(holdsOutside(planOf(z.object({ a: untrusted(path), b: ours(path) })))).toBe(true)
    expect(() => planOf(z.object({ a: untrusted(path), b: path }))).toThrow(/output\.b/)
  })
})

it('mapLeaves changes the marked strings and nothing else', () => {
  const plan = planOf(z.object({ hits: z.array(z.object({ path: echoed(z.string()), text: untrusted(z.string()), n: z.number() })), free: untrusted(z.record(z.string(), z.unknown())), name: outsideLine(z.string()).nullable() }))
  const value = { hits: [{ path: 'p', text: 't', n: 1 }], free: { k: ['v', 2] }, name: null }
  expect(mapLeaves(value, plan, (text, { from }) => (from === 'outside' ? text.toUpperCase() : text))).toEqual({
    hits: [{ path: 'p', text: 'T', n: 1 }], free: { K: ['V', 2] }, name: null,
  })
})

it('copies a member of any name as a member, and leaves out those whose name comes to nothing', () => {
  const value = JSON.parse('{"__proto__":{"x":"a"},"constructor":"b","gone":"c"}') as object
  const copy = mapStrings(value, (text) => text.toUpperCase(), (key) => (key === 'gone' ? undefined : key))
  expect(JSON.stringify(copy)).toBe('{"__proto__":{"x":"A"},"constructor":"B"}')
  expect((copy as { x?: unknown }).x).toBeUndefined()
})

describe('an unlisted object', () => {
  const schema = z.object({ details: unlisted(z.strictObject({ from: untrusted(z.string()), n: z.int() })) })

  it('is checked and planned by its fields, and listed without them', () => {
    expect(schema.safeParse({ details: { from: 'x', n: 1 } }).success).toBe(true)
    expect(schema.safeParse({ details: { from: 'x', n: 'y' } }).success).toBe(false)
    expect(schema.safeParse({ details: { from: 'x', n: 1, more: 1 } }).success).toBe(false)
    expect(mapLeaves({ details: { from: 'x', n: 1 } }, planOf(schema), (text) => `<${text}>`)).toEqual({ details: { from: '<x>', n: 1 } })
    expect(JSON.stringify(z.toJSONSchema(schema))).not.toContain('from')
  })

  it('does not build with a string of no declared origin either', () => {
    expect(() => planOf(z.object({ details: unlisted(z.object({ a: z.string() })) }))).toThrow(/details\.a.*no declared origin/)
  })
})
