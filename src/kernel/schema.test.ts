import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { fromJsonSchema, fromZod } from './schema.ts'

const schema = fromZod(z.strictObject({ path: z.string().max(5), list: z.array(z.strictObject({ n: z.int() })).optional(), mode: z.enum(['a', 'b']).default('a') }), 'input')

describe('problems', () => {
  it.each([
    ['a wrong type', { path: 5 }, ['path: expected string']],
    ['a length', { path: 'secret-value' }, ['path: at most 5 characters']],
    ['an unknown field without its name', { path: 'a', s3cret: 1 }, ['1 unknown field; known: path, list, mode, n']],
    ['a place in a list', { path: 'a', list: [{ n: 'secret' }] }, ['list.[].n: expected number']],
    ['the words of a closed list', { path: 'a', mode: 'secret' }, ['mode: one of a, b']],
  ])('name %s', (_what, raw, problems) => {
    expect(schema.parse(raw)).toEqual({ ok: false, problems })
  })

  it('spell the pattern that a text must match', () => {
    const word = fromZod(z.strictObject({ word: z.string().regex(/^\w+$/) }), 'input')
    expect(word.parse({ word: 'two words' })).toEqual({ ok: false, problems: ['word: must match /^\\w+$/'] })
  })

  it('never hold what was sent', () => {
    const free = fromZod(z.strictObject({ map: z.record(z.string(), z.number()) }), 'input')
    expect(JSON.stringify(free.parse({ map: { hunter2: 'hunter2' } }))).not.toContain('hunter2')
  })
})

it('describes itself without noise', () => {
  expect(schema.json).toEqual({
    type: 'object', additionalProperties: false, required: ['path'],
    properties: { path: { type: 'string', maxLength: 5 }, list: { type: 'array', items: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'], additionalProperties: false } }, mode: { type: 'string', enum: ['a', 'b'], default: 'a' } },
  })
})

it.each([
  ['allOf', { type: 'object', allOf: [{ required: ['a'] }] }],
  ['not', { type: 'object', not: {} }],
  ['$ref', { type: 'object', properties: { a: { $ref: '#/$defs/a' } } }],
  ['unevaluatedProperties', { type: 'object', properties: { a: { type: 'array', items: { type: 'object', unevaluatedProperties: false } } } }],
])('does not take a JSON Schema whose %s it could not hold to', (keyword, json) => {
  expect(() => fromJsonSchema(json)).toThrow(keyword)
})

it('sends a JSON Schema as it was written, and checks by it', () => {
  const json = { $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'object', properties: { a: { type: 'string' } }, required: ['a'], additionalProperties: false }
  const given = fromJsonSchema(json)
  expect(given.json).toBe(json)
  expect(given.parse({ a: 'x' })).toEqual({ ok: true, value: { a: 'x' } })
  expect(given.parse({ a: 1 })).toMatchObject({ ok: false })
})
