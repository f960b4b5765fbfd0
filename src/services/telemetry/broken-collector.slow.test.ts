import { expect, it } from 'vitest'
import { calculate, observe, startReceiver } from './receiver.fixture.ts'

/** Above the bound itself, which is two seconds. */
const CLOSED_WITHIN_MS = 3_500

async function down(): Promise<{ endpoint: string; close(): Promise<void> }> {
  const { endpoint, close } = await startReceiver()
  await close()
  return { endpoint, close: async () => {} }
}

it.each([
  ['is down', down, /^telemetry: (traces|metrics) are lost: the collector was not reached \(egress\.unreachable\)$/],
  ['never answers', () => startReceiver(() => {}), /^telemetry: (traces|metrics) are lost: the collector took too long$/],
  ['answers 500', () => startReceiver((response) => void response.writeHead(500).end()), /^telemetry: (traces|metrics) are lost: the collector answered 500$/],
  ['answers garbage', () => startReceiver((response) => void response.socket?.end('garbage\r\n\r\n')), /^telemetry: (traces|metrics) are lost: the collector was not reached \(egress\.unreachable\)$/],
])('a collector that %s changes no call, and closing stays short', async (_what, open, warning) => {
  const collector = await open()
  const app = observe({ otelExporterOtlpEndpoint: collector.endpoint, rateLimitEnabled: false })
  await app.telemetry.ready
  // More than one batch, so that exports run while calls are made.
  for (let made = 0; made < 600; made += 1) expect(await app.call(calculate('6*7'))).toMatchObject({ is: 'ok', answer: { value: { result: 42 } } })
  // Both times pass on one event loop, so they pass in their order on a busy machine too.
  const late = new Promise<string>((resolve) => setTimeout(resolve, CLOSED_WITHIN_MS, 'late').unref())
  expect(await Promise.race([app.close().then(() => 'closed'), late])).toBe('closed')
  await expect.poll(() => app.warnings).toEqual([expect.stringMatching(warning), expect.stringMatching(warning)])
  await collector.close()
})
