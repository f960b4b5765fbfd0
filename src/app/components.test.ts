import * as z from 'zod'
import { describe, expect, it } from 'vitest'
import type { Outcome, Request } from '../kernel/call.ts'
import { defineTool } from '../kernel/tool.ts'
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
