import { describe, expect, it } from 'vitest'
import { attributesOf, calculate, observe, startReceiver } from './receiver.fixture.ts'

const SAMPLE = /^[a-z_]+(?:\{[a-z_]+="(?:[^"\\\n]|\\.)*"(?:,[a-z_]+="(?:[^"\\\n]|\\.)*")*\})? (?:\d+(?:\.\d+)?(?:e-?\d+)?|\+Inf)$/

describe('the Prometheus page', () => {
  it('shows calls and their durations without any collector', async () => {
    const app = observe({ prometheusEnabled: true })
    for (const expression of ['1', '2', '1+']) await app.call(calculate(expression))
    const page = (await app.telemetry.prometheusText?.()) ?? ''
    await app.close()
    expect(page).toContain('arrowhead_calls_total{component="calculate",kind="tool",outcome="ok"} 2\n')
    expect(page).toContain('arrowhead_calls_total{component="calculate",kind="tool",outcome="refused",code="expression.syntax"} 1\n')
    expect(page).toMatch(/^# TYPE mcp_server_operation_duration_seconds histogram$/m)
    expect(page).toMatch(/^mcp_server_operation_duration_seconds_bucket\{.*error_type="expression\.syntax",le="\+Inf"\} 1$/m)
    for (const line of page.split('\n').filter((text) => text !== '' && !text.startsWith('# '))) expect(line).toMatch(SAMPLE)
  })

  it('shows what the collector gets, where both are on', async () => {
    const receiver = await startReceiver()
    const app = observe({ prometheusEnabled: true, otelExporterOtlpEndpoint: receiver.endpoint })
    for (const expression of ['1', '2', '3']) await app.call(calculate(expression))
    const page = (await app.telemetry.prometheusText?.()) ?? ''
    await app.close()
    const [point] = receiver.points('arrowhead.calls')
    expect([point?.asDouble, attributesOf(point ?? { attributes: [] })]).toEqual([3, { component: 'calculate', kind: 'tool', outcome: 'ok' }])
    expect(page).toContain('arrowhead_calls_total{component="calculate",kind="tool",outcome="ok"} 3\n')
    await receiver.close()
  })

  it('is not there where it was not asked for, nor after closing', async () => {
    const receiver = await startReceiver()
    const pushing = observe({ otelExporterOtlpEndpoint: receiver.endpoint })
    expect(pushing.telemetry.prometheusText).toBeUndefined()
    await pushing.close()
    await receiver.close()
    const paged = observe({ prometheusEnabled: true })
    await paged.close()
    await expect(paged.telemetry.prometheusText?.()).rejects.toThrow('there are no metrics')
  })
})
