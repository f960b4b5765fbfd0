/** Everything between records and a collector. */

import type { Resource } from '@opentelemetry/resources'
import { collectorOf, collectorPost } from './collector.ts'
import { createDelivery } from './delivery.ts'
import type { Delivery } from './delivery.ts'
import { createExporters } from './exporters.ts'
import type { Exporters } from './exporters.ts'
import type { TelemetryPorts, TelemetrySettings } from './ports.ts'
import { createTracing } from './tracing.ts'
import type { Tracing } from './tracing.ts'

export interface Push {
  readonly tracing: Tracing
  readonly metrics: Exporters['metrics']
  readonly delivery: Delivery
}

export type PushSettings = Pick<TelemetrySettings, 'otelExporterOtlpHeaders'> & { readonly endpoint: string }

export function createPush({ endpoint, otelExporterOtlpHeaders }: PushSettings, { post = collectorPost(endpoint), warn }: TelemetryPorts, resource: Resource): Push {
  const delivery = createDelivery(post, collectorOf(endpoint, otelExporterOtlpHeaders), (problem) => warn?.(problem))
  const { spans, metrics } = createExporters(delivery)
  return { delivery, metrics, tracing: createTracing(resource, spans) }
}
