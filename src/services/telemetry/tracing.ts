/** Turns records into spans, joined to the caller's trace and batched; more than the queue holds is dropped. */

import { ROOT_CONTEXT, SpanKind, SpanStatusCode, TraceFlags, trace as spans } from '@opentelemetry/api'
import type { Context } from '@opentelemetry/api'
import type { Resource } from '@opentelemetry/resources'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import type { SpanExporter } from '@opentelemetry/sdk-trace'
import { VERSION } from '../../kernel/version.ts'
import { isServed, spanAttributes, spanName } from './attributes.ts'
import type { CallRecord } from './call-record.ts'
import { EXPORT_TIMEOUT_MS } from './delivery.ts'

const QUEUE_SPANS = 2048
const BATCH_SPANS = 512
const BATCH_EVERY_MS = 5000

export interface Tracing {
  record(record: CallRecord): void
  /** Sends what is queued. May reject. */
  close(): Promise<void>
}

/** Registers nothing globally. A trace that its caller does not sample is not sampled here either. */
export function createTracing(resource: Resource, exporter: SpanExporter): Tracing {
  const processor = new BatchSpanProcessor({
    exporter, maxQueueSize: QUEUE_SPANS, maxExportBatchSize: BATCH_SPANS, scheduledDelayMillis: BATCH_EVERY_MS, exportTimeoutMillis: EXPORT_TIMEOUT_MS,
  })
  const provider = new TracerProvider({ resource, spanProcessors: [processor] })
  const tracer = provider.getTracer('arrowhead', VERSION)

  return {
    record(record) {
      const { startMs, tookMs, door, code, says } = record
      const kind = isServed(door) ? SpanKind.SERVER : SpanKind.INTERNAL
      const span = tracer.startSpan(spanName(record), { kind, startTime: hrTime(startMs), attributes: spanAttributes(record) }, contextOf(record))
      if (code !== '') span.setStatus({ code: SpanStatusCode.ERROR, message: says })
      span.end(hrTime(startMs + tookMs))
    },
    close: () => provider.shutdown(),
  }
}

function contextOf({ parent }: CallRecord): Context {
  if (!parent) return ROOT_CONTEXT
  const { traceId, spanId, flags } = parent
  return spans.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: flags & TraceFlags.SAMPLED, isRemote: true })
}

/** Seconds and nanoseconds. */
function hrTime(ms: number): [seconds: number, nanos: number] {
  const seconds = Math.floor(ms / 1000)
  return [seconds, Math.min(999_999_999, Math.round((ms - seconds * 1000) * 1e6))]
}
