import { afterEach, describe, expect, it } from 'vitest'
import { defineTool } from '../../kernel/tool.ts'
import * as z from 'zod'
import { attributesOf, calculate, observe, startReceiver } from './receiver.fixture.ts'
import type { Receiver } from './receiver.fixture.ts'

const PARENT = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7', flags: 1 }

/** The clock of the day and the one that measures are two, and drift; a wrong unit or zero is further off. */
const CLOCKS_APART_MS = 1_000

let receiver: Receiver | undefined
afterEach(async () => {
  await receiver?.close()
  receiver = undefined
})
const start = async () => (receiver = await startReceiver())

const faulty = defineTool({
  name: 'faulty', title: 'Faulty', summary: 'Throws.', scope: 'own:read', level: 'SAFE', effect: 'read', idempotent: true, openWorld: false,
  perMinute: 60, uses: [], input: z.strictObject({}), output: z.strictObject({}), examples: [],
  touches: () => [],
  run: () => {
    throw new Error('secret words of a stack')
  },
})

describe('a span', () => {
  it('is a child of the caller’s span, with names and codes of the call and nothing that the caller sent', async () => {
    const { endpoint, spans, received } = await start()
    const app = observe({ otelExporterOtlpEndpoint: endpoint, otelServiceName: 'my-arrows' })
    await app.telemetry.ready
    const before = Date.now()
    expect(await app.call(calculate('6*7'), { door: 'http', parent: PARENT })).toMatchObject({ is: 'ok' })
    expect(await app.call(calculate('6*'), { door: 'stdio', parent: PARENT })).toMatchObject({ is: 'refused' })
    await app.close()
    const [good, bad] = spans()
    expect(good).toMatchObject({ name: 'tools/call calculate', traceId: PARENT.traceId, parentSpanId: PARENT.spanId, kind: 2, status: { code: 0 } })
    const { 'arrowhead.call.id': id, ...named } = attributesOf(good ?? { attributes: [] })
    expect(id).toMatch(/^[\w-]{16,}$/)
    expect(named).toEqual({
      'mcp.method.name': 'tools/call', 'gen_ai.tool.name': 'calculate', 'gen_ai.operation.name': 'execute_tool',
      'network.transport': 'tcp', 'arrowhead.door': 'http', 'arrowhead.outcome': 'ok',
    })
    expect(bad).toMatchObject({ name: 'tools/call calculate', traceId: PARENT.traceId, status: { code: 2, message: 'the expression is not plain arithmetic' } })
    expect(bad?.spanId).not.toBe(good?.spanId)
    expect(attributesOf(bad ?? { attributes: [] })).toMatchObject({ 'error.type': 'expression.syntax', 'network.transport': 'pipe', 'arrowhead.outcome': 'refused' })
    const [startedAt, endedAt] = [Number(good?.startTimeUnixNano) / 1e6, Number(good?.endTimeUnixNano) / 1e6]
    expect(startedAt).toBeGreaterThanOrEqual(before - CLOCKS_APART_MS)
    expect(endedAt).toBeGreaterThanOrEqual(startedAt)
    expect(endedAt).toBeLessThanOrEqual(Date.now() + CLOCKS_APART_MS)
    const sent = received.map(({ text }) => text).join()
    expect(sent).toContain('"my-arrows"')
    expect(sent).not.toMatch(/6\*|ada@example\.com/)
  })

  it.each([
    ['a trace of its own, where the caller sent an id that is none', { parent: { ...PARENT, traceId: '0'.repeat(32) } }, { traceId: expect.not.stringMatching(/^0+$/) }],
    ['a trace of its own, where the caller sent nothing', {}, { traceId: expect.stringMatching(/^[0-9a-f]{32}$/) }],
  ])('joins %s', async (_what, arrival, expected) => {
    const { endpoint, spans } = await start()
    const app = observe({ otelExporterOtlpEndpoint: endpoint })
    await app.call(calculate('1'), { door: 'http', ...arrival })
    await app.close()
    expect(spans()).toHaveLength(1)
    expect(spans()[0]).toMatchObject(expected)
    expect(spans()[0]?.parentSpanId).toBeUndefined()
  })

  it('is left out where the caller does not sample its trace, while the call is still counted', async () => {
    const { endpoint, spans, points } = await start()
    const app = observe({ otelExporterOtlpEndpoint: endpoint })
    await app.call(calculate('1'), { door: 'http', parent: { ...PARENT, flags: 0 } })
    await app.close()
    expect(spans()).toEqual([])
    expect(points('arrowhead.calls').map(({ asDouble }) => asDouble)).toEqual([1])
  })

  it('names a fault by its incident and says nothing of the error', async () => {
    const { endpoint, spans, received } = await start()
    const app = observe({ otelExporterOtlpEndpoint: endpoint }, { tools: [faulty] })
    const outcome = await app.call({ kind: 'tool', name: 'faulty', args: {} })
    await app.close()
    expect(attributesOf(spans()[0] ?? { attributes: [] })).toMatchObject({ 'error.type': 'fault', 'arrowhead.incident': outcome.is === 'fault' && outcome.incident })
    expect(received.map(({ text }) => text).join()).not.toContain('secret words')
  })

  it('is called unknown where the caller made a name up', async () => {
    const { endpoint, spans } = await start()
    const app = observe({ otelExporterOtlpEndpoint: endpoint })
    await app.call({ kind: 'tool', name: 'drop_tables', args: {} })
    await app.close()
    expect(spans()[0]).toMatchObject({ name: 'tools/call unknown' })
    expect(attributesOf(spans()[0] ?? { attributes: [] })).toMatchObject({ 'error.type': 'component.unknown', 'rpc.response.status_code': '-32602' })
  })
})

describe('metrics', () => {
  it('count calls by component, kind, outcome and code, and time them in seconds', async () => {
    const { endpoint, points } = await start()
    const app = observe({ otelExporterOtlpEndpoint: endpoint })
    for (const expression of ['1', '2', '1+']) await app.call(calculate(expression))
    await app.call({ kind: 'listing', of: 'tools' })
    await app.close()
    const counted = points('arrowhead.calls').map((point) => [point.asDouble, attributesOf(point)])
    expect(counted).toEqual([
      [2, { component: 'calculate', kind: 'tool', outcome: 'ok' }],
      [1, { component: 'calculate', kind: 'tool', outcome: 'refused', code: 'expression.syntax' }],
      [1, { component: 'tools', kind: 'listing', outcome: 'ok' }],
    ])
    const durations = points('mcp.server.operation.duration')
    expect(durations.map((point) => [point.count, attributesOf(point)['mcp.method.name'], attributesOf(point)['error.type']])).toEqual([
      [2, 'tools/call', undefined], [1, 'tools/call', 'expression.syntax'], [1, 'tools/list', undefined],
    ])
    expect(durations[0]?.explicitBounds).toEqual(expect.arrayContaining([0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300]))
    expect(durations[0]?.sum).toBeLessThan(10)
  })
})
