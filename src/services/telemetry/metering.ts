/** One counter and one histogram, which feed the collector and the Prometheus page alike. */

import type { PrometheusSerializer } from '@opentelemetry/exporter-prometheus'
import type { Resource } from '@opentelemetry/resources'
import type * as Metrics from '@opentelemetry/sdk-metrics'
import { VERSION } from '../../kernel/version.ts'
import { callAttributes, durationAttributes } from './attributes.ts'
import type { CallRecord } from './call-record.ts'
import { EXPORT_TIMEOUT_MS } from './tracing.ts'

const EXPORT_EVERY_MS = 60_000
/** The boundaries of the MCP conventions from 10 ms on, and finer ones below, where most calls end. */
const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300]

export interface Metering {
  record(record: CallRecord): void
  /** Sends what is not sent yet. May reject. */
  close(): Promise<void>
  /** The Prometheus text format 0.0.4. @throws after `close`. */
  readonly text?: () => Promise<string>
}

export interface MeteringParts {
  readonly sdk: typeof Metrics
  readonly resource: Resource
  /** Pushes to a collector. */
  readonly exporter: Metrics.PushMetricExporter | undefined
  /** Serves a page. */
  readonly serializer: PrometheusSerializer | undefined
}

export function createMetering({ sdk, resource, exporter, serializer }: MeteringParts): Metering {
  const push = exporter && new sdk.PeriodicExportingMetricReader({ exporter, exportIntervalMillis: EXPORT_EVERY_MS, exportTimeoutMillis: EXPORT_TIMEOUT_MS })
  const page = serializer && pullReader(sdk)
  const provider = new sdk.MeterProvider({ resource, readers: [push, page].filter((reader) => reader !== undefined) })
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
    close: () => provider.shutdown(),
    ...(page && { text: async () => serializer.serialize(withUnitInName((await page.collect()).resourceMetrics)) }),
  }
}

/** A reader that collects when it is asked, and at no other time. */
const pullReader = ({ MetricReader }: typeof Metrics): Metrics.MetricReader =>
  new (class extends MetricReader {
    protected override async onShutdown(): Promise<void> {}
    protected override async onForceFlush(): Promise<void> {}
  })()

/** Prometheus names end in the unit; the serializer leaves that out. */
const withUnitInName = (all: Metrics.ResourceMetrics): Metrics.ResourceMetrics => ({
  ...all,
  scopeMetrics: all.scopeMetrics.map((scope) => ({ ...scope, metrics: scope.metrics.map(named) })),
})

const named = (metric: Metrics.MetricData): Metrics.MetricData => {
  const { name, unit } = metric.descriptor
  return { ...metric, descriptor: { ...metric.descriptor, name: unit === 's' ? `${name}.seconds` : name, unit: '' } }
}
