/** OTLP/HTTP exporters in JSON (OTLP 1.x) for the SDK's batching, over a delivery of our own instead of its HTTP stack. */

import { JsonMetricsSerializer, JsonTraceSerializer } from '@opentelemetry/otlp-transformer'
import type { PushMetricExporter } from '@opentelemetry/sdk-metrics'
import type { SpanExporter } from '@opentelemetry/sdk-trace'
import type { Signal } from './collector.ts'
import type { Delivery } from './delivery.ts'

export interface Exporters {
  readonly spans: SpanExporter
  readonly metrics: PushMetricExporter
}

/** The SDK's word for how an export ended. */
type Ended = (result: { code: 0 | 1 }) => void

const TAKEN = { code: 0 } as const
const LOST = { code: 1 } as const

export function createExporters(delivery: Delivery): Exporters {
  const send = (signal: Signal, body: Uint8Array | undefined, ended: Ended): void => {
    if (!body) return ended(LOST)
    void delivery.send(signal, body).then((taken) => ended(taken ? TAKEN : LOST))
  }
  const end = { forceFlush: () => delivery.idle(), shutdown: () => delivery.idle() }
  return {
    spans: { ...end, export: (spans, ended) => send('traces', JsonTraceSerializer.serializeRequest(spans), ended) },
    metrics: { ...end, export: (metrics, ended) => send('metrics', JsonMetricsSerializer.serializeRequest(metrics), ended) },
  }
}
