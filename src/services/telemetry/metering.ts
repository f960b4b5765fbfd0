/** One counter and one histogram, which feed the collector and the Prometheus page alike. */

import type { Resource } from '@opentelemetry/resources'
import { MeterProvider, MetricReader, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics'
import type { PushMetricExporter, ResourceMetrics } from '@opentelemetry/sdk-metrics'
import { VERSION } from '../../kernel/version.ts'
import { callAttributes, durationAttributes } from './attributes.ts'
import type { CallRecord } from './call-record.ts'
import { EXPORT_TIMEOUT_MS } from './delivery.ts'

const EXPORT_EVERY_MS = 60_000
/** The boundaries of the MCP conventions from 10 ms on, and finer ones below, where most calls end. */
const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300]

export interface Metering {
  record(record: CallRecord): void
  /** Everything measured so far. Rejects after `close`. */
  collect(): Promise<ResourceMetrics>
  /** Sends what is not sent yet. May reject. */
  close(): Promise<void>
}

/** @param exporter pushes to a collector, where there is one. */
export function createMetering(resource: Resource, exporter: PushMetricExporter | undefined): Metering {
  // One reader for both ways out: the SDK keeps what a second one did not collect yet, and nobody may ever look at the page.
  const reader = exporter
    ? new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: EXPORT_EVERY_MS, exportTimeoutMillis: EXPORT_TIMEOUT_MS })
    : new PullReader()
  const provider = new MeterProvider({ resource, readers: [reader] })
  const meter = provider.getMeter('arrowhead', VERSION)
  const calls = meter.createCounter('arrowhead.calls', { description: 'Calls by component, kind, outcome and code.', unit: '{call}' })
  const durations = meter.createHistogram('mcp.server.operation.duration', {
    description: 'Time from the arrival of a request to its outcome.', unit: 's', advice: { explicitBucketBoundaries: SECONDS },
  })
  return {
    record(record) {
      calls.add(1, callAttributes(record))
      durations.record(record.tookMs / 1000, durationAttributes(record))
    },
    collect: async () => (await reader.collect()).resourceMetrics,
    close: () => provider.shutdown(),
  }
}

/** Collects when it is asked, and at no other time. */
class PullReader extends MetricReader {
  protected override async onShutdown(): Promise<void> {}
  protected override async onForceFlush(): Promise<void> {}
}
