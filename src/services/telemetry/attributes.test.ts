import { describe, expect, it } from 'vitest'
import { toWire } from '../../doors/mcp/answers.ts'
import { toRequest } from '../../doors/mcp/methods.ts'
import type { Outcome, Request } from '../../kernel/call.ts'
import { REFUSALS, refusal } from '../../kernel/refusal.ts'
import type { RefusalCode } from '../../kernel/refusal.ts'
import { callAttributes, durationAttributes, methodOf, spanAttributes, spanName, statusCodeOf } from './attributes.ts'
import type { CallRecord } from './call-record.ts'

const record = (given: Partial<CallRecord>): CallRecord => ({
  id: 'call-1', kind: 'tool', component: 'calculate', known: true, door: 'http', parent: undefined,
  startMs: 0, tookMs: 0, outcome: 'ok', code: '', says: '', incident: '', ...given,
})

const REQUESTS: readonly Request[] = [
  { kind: 'tool', name: 'x', args: {} }, { kind: 'prompt', name: 'x', args: {} }, { kind: 'resource', uri: 'x:y' },
  { kind: 'completion', of: 'prompt', name: 'x', argument: 'a', typed: '' }, { kind: 'listing', of: 'tools' },
]

describe('the name of a span', () => {
  it.each([
    ['tools/call calculate', { kind: 'tool', component: 'calculate' }],
    ['prompts/get review', { kind: 'prompt', component: 'review' }],
    ['resources/read', { kind: 'resource', component: 'docs://{path}' }],
    ['completion/complete', { kind: 'completion', component: 'review' }],
    ['tools/list', { kind: 'listing', component: 'tools' }],
    ['resources/list', { kind: 'listing', component: 'resources' }],
    ['resources/templates/list', { kind: 'listing', component: 'templates' }],
    ['prompts/list', { kind: 'listing', component: 'prompts' }],
  ] as const)('is %s', (name, given) => {
    expect(spanName(record(given))).toBe(name)
  })

  it('starts with a method that the doors know', () => {
    for (const { kind, ...rest } of REQUESTS) {
      const method = methodOf({ kind, component: 'of' in rest ? String(rest.of) : 'x' })
      const params = { name: 'x', uri: 'x:y', ref: { type: 'ref/prompt', name: 'x' }, argument: { name: 'a', value: '' } }
      expect(toRequest(method, params)?.kind).toBe(kind)
    }
  })
})

describe('the status code', () => {
  const wireCode = (request: Request, outcome: Outcome): string | undefined => {
    const wire = toWire(request, outcome, { era: 'modern', capabilities: {} })
    return 'error' in wire ? String(wire.error.code) : undefined
  }

  it.each(REQUESTS)('of a $kind is the number that the doors answer, for every refusal and for a fault', (request) => {
    const { kind } = request
    for (const code of Object.keys(REFUSALS) as RefusalCode[]) {
      expect([code, statusCodeOf({ kind, door: 'http', code })]).toEqual([code, wireCode(request, { is: 'refused', refusal: refusal(code) })])
    }
    expect(statusCodeOf({ kind, door: 'stdio', code: 'fault' })).toBe(wireCode(request, { is: 'fault', incident: 'i' }))
    expect(statusCodeOf({ kind, door: 'http', code: '' })).toBeUndefined()
  })

  it('is no attribute of a call that came from the same process', () => {
    expect(statusCodeOf({ kind: 'prompt', door: 'library', code: 'fault' })).toBeUndefined()
  })
})

describe('attributes', () => {
  it('tell a registered resource by its template, and an unknown one not at all', () => {
    expect(spanAttributes(record({ kind: 'resource', component: 'docs://{path}' }))).toMatchObject({ 'mcp.resource.uri': 'docs://{path}' })
    expect(spanAttributes(record({ kind: 'resource', component: 'unknown', known: false }))).not.toHaveProperty(['mcp.resource.uri'])
  })

  it('of metrics hold no id, so that a call is never a series of its own', () => {
    const faulted = record({ outcome: 'fault', code: 'fault', incident: 'incident-1' })
    expect(Object.values(spanAttributes(faulted))).toEqual(expect.arrayContaining(['call-1', 'incident-1']))
    for (const attributes of [callAttributes(faulted), durationAttributes(faulted)]) {
      expect(Object.values(attributes)).not.toEqual(expect.arrayContaining(['call-1']))
      expect(Object.values(attributes)).not.toEqual(expect.arrayContaining(['incident-1']))
    }
  })

  it('name the prompt of a prompt, and only tools are executed', () => {
    const attributes = durationAttributes(record({ kind: 'prompt', component: 'review', door: 'library' }))
    expect(attributes).toEqual({ 'mcp.method.name': 'prompts/get', 'gen_ai.prompt.name': 'review' })
  })
})
