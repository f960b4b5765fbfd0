/**
 * Where records go. This file and what it imports load the OpenTelemetry SDK, so it is imported only where a
 * setting asks for telemetry, and each half of it only where its own setting does. The packages are imported by
 * name and not with `import()`, because a bundle knows the names of their exports only that way.
 */

import { randomUUID } from 'node:crypto'
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources'
import type { Resource } from '@opentelemetry/resources'
import { VERSION } from '../../kernel/version.ts'
import type { CallRecord } from './call-record.ts'
import { createMetering } from './metering.ts'
import type { TelemetryPorts, TelemetrySettings } from './ports.ts'

export interface Sink {
  record(record: CallRecord): void
  /** The metrics as a page, where the settings ask for one. */
  readonly page?: () => Promise<string>
  /** Sends what is left; ends when that is done or given up. */
  close(): Promise<void>
  /** Gives up whatever is still under way. */
  abandon(): void
}

export async function openSink(settings: TelemetrySettings, ports: TelemetryPorts): Promise<Sink> {
  const { otelExporterOtlpEndpoint: endpoint, prometheusEnabled } = settings
  const resource = resourceOf(settings.otelServiceName)
  const push = endpoint === undefined ? undefined : (await import('./push.ts')).createPush({ ...settings, endpoint }, ports, resource)
  const pages = prometheusEnabled ? await import('./page.ts') : undefined
  const metering = createMetering(resource, push?.metrics)
  return {
    record(record) {
      metering.record(record)
      push?.tracing.record(record)
    },
    ...(pages && { page: async () => pages.pageOf(await metering.collect()) }),
    async close() {
      await Promise.allSettled([push?.tracing.close(), metering.close()])
      await push?.delivery.idle()
    },
    abandon: () => push?.delivery.stop(),
  }
}

/** Several servers may run under one name, so each process tells itself apart: their counters must not mix. */
const resourceOf = (serviceName: string): Resource =>
  defaultResource().merge(resourceFromAttributes({ 'service.name': serviceName, 'service.version': VERSION, 'service.instance.id': randomUUID() }))
