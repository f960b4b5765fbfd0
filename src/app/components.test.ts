import { runInNewContext } from 'node:vm'
import * as z from 'zod'
import { describe, expect, it } from 'vitest'
import type { Outcome, Request } from '../kernel/call.ts'
import { defineJsonTool, defineTool } from '../kernel/tool.ts'
import { testApp } from '../testing/index.ts'

/** What is no tool, beside a tool that is called like its ceiling. */
const OTHERS: readonly (readonly [string, Request])[] = [
  ['unknown', { kind: 'tool', name: 'nowhere', args: {} }],
  ['listing', { kind: 'listing', of: 'tools' }],
  ['completion', { kind: 'completion', of: 'prompt', name: 'nowhere', argument: 'a', typed: '' }],
  ['completion', { kind: 'completion', of: 'resource', name: 'doc://{+path}', argument: 'path', typed: '' }],
  ['resource_read', { kind: 'resource', uri: 'docs://index' }],
  ['prompt_get', { kind: 'prompt', name: 'audit_corpus', args: {} }],
]

const codeOf = (outcome: Outcome): string => (outcome.is === 'refused' ? outcome.refusal.code : outcome.is)

describe('a tool that is called like what is no tool', () => {
  it.each(OTHERS)('has the ceiling that it declares, and shares it with nothing: %s', async (name, other) => {
    const tool = defineTool({
      name, title: name, summary: 'For a test.', scope: 'tools:read', level: 'SAFE', effect: 'read', idempotent: true, openWorld: false, perMinute: 2, uses: [], input: z.strictObject({}), output: z.strictObject({}), examples: [],
      touches: () => [], run: () => ({}),
    })
    const { call, dispatch } = testApp({ options: { tools: [tool] } })
    const before = codeOf(await dispatch(other))
    expect([codeOf(await call(name)), codeOf(await call(name)), codeOf(await call(name))]).toEqual(['ok', 'ok', 'quota.spent'])
    expect(codeOf(await dispatch(other))).toBe(before)
  })
})

describe('what a tool of somebody’s own gives back', () => {
  const facts = { name: 'own', title: 'Own', summary: 'For a test.', scope: 'tools:read', level: 'SAFE', effect: 'read', idempotent: true, openWorld: false, uses: [], examples: [], touches: () => [] } as const
  const calls = (given: () => unknown, over: object = {}): Promise<Outcome> =>
    testApp({ options: { tools: [defineJsonTool({ ...facts, input: { type: 'object' }, origin: 'server', run: given as () => object, ...over } as never)] } }).call('own')
  const elsewhere = (value: string): unknown => runInNewContext(`Promise.resolve(${value})`)

  it('is waited for, whoever’s promise it is', async () => {
    expect(await calls(() => elsewhere('{ n: 1 }'))).toMatchObject({ is: 'ok', answer: { value: { n: 1 } } })
    expect(codeOf(await calls(() => ({}), { touches: () => elsewhere('[]'), rise: () => elsewhere('"DENIED"') }))).toBe('level.denied')
  })

  it('is no fields where it is nothing, and a fault where it could never be fields', async () => {
    expect(await calls(() => undefined)).toMatchObject({ is: 'ok', answer: { value: {} } })
    for (const given of ['text', 5, null, [1]]) expect((await calls(() => given)).is).toBe('fault')
  })

  it.each([['a bigint', 5n], ['a function', () => 1], ['a symbol', Symbol('x')]])('is a fault where it holds %s, which no door could send', async (_, value) => {
    for (const given of [{ n: value }, { list: [{ n: value }] }]) expect((await calls(() => given)).is).toBe('fault')
  })

  it('is what it says itself, and nothing that it inherits, where that is all that is sent', async () => {
    const Old = function (this: { n: number }) {
      this.n = 1
    } as unknown as new () => { n: number }
    Old.prototype.twice = () => 2
    const own = { toJSON: () => ({ n: 1 }) }
    for (const given of [new URL('https://a.example/'), Buffer.from('x'), new Old(), own, { ...own, toJSON: () => own }]) {
      expect((await calls(() => ({ given }))).is).toBe('ok')
    }
    expect((await calls(() => ({ given: { toJSON: () => ({ n: 5n }) } }))).is).toBe('fault')
    expect((await calls(() => ({ given: { toJSON: () => 'x'.repeat(10_000_000) } }))).is).toBe('refused')
  })
})
