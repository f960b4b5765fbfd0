/** Loads the OpenTelemetry SDK and puts it together. The only place that loads it, and only where a setting asks. */

import { randomUUID } from 'node:crypto'
import { VERSION } from '../../kernel/version.ts'
import type { CallRecord } from './call-record.ts'
import { collectorOf, collectorPost } from './collector.ts'
import { createDelivery } from './delivery.ts'
import type { Delivery } from './delivery.ts'
import { createExporters } from './exporters.ts'
import type { Exporters } from './exporters.ts'
import { createMetering } from './metering.ts'
import type { TelemetryPorts, TelemetrySettings } from './ports.ts'
import { createTracing } from './tracing.ts'
import type { Tracing } from './tracing.ts'

/** Takes records and gets them out. */
export interface Sink {
  record(record: CallRecord): void
  readonly text?: () => Promise<string>
  /** Sends what is left; ends when that is done or given up. */
  close(): Promise<void>
  /** Gives up whatever is still under way. */
  abandon(): void
}

/** Rejects where a package is not installed. */
export async function loadSink(settings: TelemetrySettings, ports: TelemetryPorts): Promise<Sink> {
  const [metrics, resource] = await Promise.all([import('@opentelemetry/sdk-metrics'), loadResource(settings.otelServiceName)])
  const pushed = await loadPush(settings, ports, resource)
  const serializer = settings.prometheusEnabled ? await loadSerializer() : undefined
  const metering = createMetering({ sdk: metrics, resource, exporter: pushed?.exporters.metrics, serializer })
  return {
    record(record) {
      metering.record(record)
      pushed?.tracing.record(record)
    },
    async close() {
      await Promise.allSettled([pushed?.tracing.close(), metering.close()])
      await pushed?.delivery.idle()
    },
    abandon: () => pushed?.delivery.stop(),
    ...(metering.text && { text: metering.text }),
  }
}

type Resource = Awaited<ReturnType<typeof loadResource>>

/** Several servers may run under one name, so each process tells itself apart: their counters must not mix. */
async function loadResource(serviceName: string) {
  const { defaultResource, resourceFromAttributes } = await import('@opentelemetry/resources')
  return defaultResource().merge(resourceFromAttributes({ 'service.name': serviceName, 'service.version': VERSION, 'service.instance.id': randomUUID() }))
}

async function loadSerializer() {
  const { PrometheusSerializer } = await import('@opentelemetry/exporter-prometheus')
  return new PrometheusSerializer(undefined, false, undefined, false, true)
}

interface Push {
  readonly tracing: Tracing
  readonly exporters: Exporters
  readonly delivery: Delivery
}

async function loadPush(settings: TelemetrySettings, ports: TelemetryPorts, resource: Resource): Promise<Push | undefined> {
  const endpoint = settings.otelExporterOtlpEndpoint
  if (endpoint === undefined) return undefined
  const [api, sdk, serializers] = await Promise.all([import('@opentelemetry/api'), import('@opentelemetry/sdk-trace'), import('@opentelemetry/otlp-transformer')])
  const collector = collectorOf(endpoint, settings.otelExporterOtlpHeaders)
  const delivery = createDelivery(ports.post ?? collectorPost(endpoint), collector, (problem) => ports.warn?.(problem))
  const exporters = createExporters(delivery, serializers)
  return { exporters, delivery, tracing: createTracing({ api, sdk, resource, exporter: exporters.spans }) }
}
