/** Metrics as a page in the Prometheus text format 0.0.4. */

import { PrometheusSerializer } from '@opentelemetry/exporter-prometheus'
import type { MetricData, ResourceMetrics } from '@opentelemetry/sdk-metrics'

// No prefix, no timestamps, no resource on every line but once as `target_info`, no scope.
const serializer = new PrometheusSerializer(undefined, false, undefined, false, true)

export const pageOf = (all: ResourceMetrics): string =>
  serializer.serialize({ ...all, scopeMetrics: all.scopeMetrics.map((scope) => ({ ...scope, metrics: scope.metrics.map(named) })) })

/** Prometheus names end in the unit (OpenTelemetry, Prometheus compatibility: unit suffix); the serializer leaves that out. */
const named = (metric: MetricData): MetricData => {
  const { name, unit } = metric.descriptor
  return { ...metric, descriptor: { ...metric.descriptor, name: unit === 's' ? `${name}.seconds` : name, unit: '' } }
}
