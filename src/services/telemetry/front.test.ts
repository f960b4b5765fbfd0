import { afterEach, describe, expect, it } from 'vitest'
import { calculate, observe, startReceiver } from './receiver.fixture.ts'
import type { Receiver } from './receiver.fixture.ts'
import { createTelemetry, openTelemetry } from './telemetry.ts'

const OFF = { otelExporterOtlpEndpoint: undefined, otelExporterOtlpHeaders: undefined, otelServiceName: 'arrowhead', prometheusEnabled: false }
const CLOCK = { now: () => 1_700_000_000_000, ticks: () => 0 }

let receiver: Receiver | undefined
afterEach(async () => {
  await receiver?.close()
  receiver = undefined
})
const start = async () => (receiver = await startReceiver())

describe('the front', () => {
  it('keeps calls made before the SDK is loaded, as many as it has room for', async () => {
    const { endpoint, spans, points } = await start()
    const app = observe({ prometheusEnabled: true })
    const outcome = await app.call(calculate('1'))
    await app.close()
    const [call] = app.calls
    const front = createTelemetry({ ...OFF, otelExporterOtlpEndpoint: endpoint }, { clock: CLOCK })
    if (!call || !front) throw new Error('nothing to try it with')
    // In one turn, so that nothing can have been loaded in between.
    for (let made = 0; made < 2100; made += 1) front.span(call)(outcome)
    await front.close()
    expect(points('arrowhead.calls').map(({ asDouble }) => asDouble)).toEqual([2048])
    expect(spans()).toHaveLength(2048)
  })

  it('does not exist where no setting asks for it', async () => {
    expect(createTelemetry(OFF, { clock: CLOCK })).toBeUndefined()
    expect(await openTelemetry(OFF, { clock: CLOCK })).toBeUndefined()
  })

  it('takes a call that ends after it was closed, and sends nothing more', async () => {
    const { endpoint, received } = await start()
    const app = observe({ otelExporterOtlpEndpoint: endpoint })
    await app.close()
    const sent = received.length
    expect(await app.call(calculate('1'))).toMatchObject({ is: 'ok' })
    await app.close()
    expect(received).toHaveLength(sent)
  })

  it('sends the headers of the settings, percent-decoded, and JSON', async () => {
    const { endpoint, received } = await start()
    const app = observe({ otelExporterOtlpEndpoint: endpoint, otelExporterOtlpHeaders: ['Authorization=Bearer%20abc', 'x-team=a'] })
    await app.call(calculate('1'))
    await app.close()
    expect(received.map(({ path }) => path).sort()).toEqual(['/v1/metrics', '/v1/traces'])
    for (const { headers } of received) expect(headers).toMatchObject({ authorization: 'Bearer abc', 'x-team': 'a', 'content-type': 'application/json' })
  })

  it('keeps a call from what goes wrong in it, and says so once', async () => {
    const app = observe({ prometheusEnabled: true })
    const outcome = await app.call(calculate('1'))
    await app.close()
    const warnings: string[] = []
    const settings = { ...OFF, prometheusEnabled: true }
    const front = await openTelemetry(settings, { clock: CLOCK, warn: (problem) => void warnings.push(problem) })
    const [call] = app.calls
    if (!call || !front) throw new Error('nothing to try it with')
    const broken = new Proxy(call, { get: (of, name) => (name === 'component' ? undefined : Reflect.get(of, name)) })
    front.span(broken)(outcome)
    front.span(broken)(outcome)
    expect(warnings).toEqual(['telemetry: a call was not recorded (TypeError)'])
    await front.close()
  })
})
