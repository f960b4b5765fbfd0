/** Turns records into spans, joined to the caller's trace and batched; more than the queue holds is dropped. */

import type * as Api from '@opentelemetry/api'
import type { Resource } from '@opentelemetry/resources'
import type * as Trace from '@opentelemetry/sdk-trace'
import { VERSION } from '../../kernel/version.ts'
import { isServed, spanAttributes, spanName } from './attributes.ts'
import type { CallRecord } from './call-record.ts'

const QUEUE_SPANS = 2048
const BATCH_SPANS = 512
const BATCH_EVERY_MS = 5000
/** Longer than a delivery may take, so that it is never the one to give up. */
export const EXPORT_TIMEOUT_MS = 12_000

export interface Tracing {
  record(record: CallRecord): void
  /** Sends what is queued. May reject. */
  close(): Promise<void>
}

export interface TracingParts {
  readonly api: typeof Api
  readonly sdk: typeof Trace
  readonly resource: Resource
  readonly exporter: Trace.SpanExporter
}

/** Registers nothing globally. A caller that does not sample its trace is not sampled here either. */
export function createTracing({ api, sdk, resource, exporter }: TracingParts): Tracing {
  const random = new sdk.RandomIdGenerator()
  let joined: string | undefined
  const idGenerator = { generateTraceId: () => joined ?? random.generateTraceId(), generateSpanId: () => random.generateSpanId() }
  const processor = new sdk.BatchSpanProcessor({
    exporter, maxQueueSize: QUEUE_SPANS, maxExportBatchSize: BATCH_SPANS, scheduledDelayMillis: BATCH_EVERY_MS, exportTimeoutMillis: EXPORT_TIMEOUT_MS,
  })
  const provider = new sdk.TracerProvider({ resource, idGenerator, spanProcessors: [processor] })
  const tracer = provider.getTracer('arrowhead', VERSION)

  const contextOf = ({ parent }: CallRecord): Api.Context => {
    if (!parent) return api.ROOT_CONTEXT
    const { traceId, spanId, flags } = parent
    return api.trace.setSpanContext(api.ROOT_CONTEXT, { traceId, spanId, traceFlags: flags & api.TraceFlags.SAMPLED, isRemote: true })
  }

  return {
    record(record) {
      const { trace, startMs, tookMs, door, code, says } = record
      joined = trace !== undefined && api.isValidTraceId(trace) ? trace : undefined
      const kind = isServed(door) ? api.SpanKind.SERVER : api.SpanKind.INTERNAL
      const span = tracer.startSpan(spanName(record), { kind, startTime: hrTime(startMs), attributes: spanAttributes(record) }, contextOf(record))
      if (code !== '') span.setStatus({ code: api.SpanStatusCode.ERROR, message: says })
      span.end(hrTime(startMs + tookMs))
    },
    close: () => provider.shutdown(),
  }
}

/** Seconds and nanoseconds. */
function hrTime(ms: number): [seconds: number, nanos: number] {
  const seconds = Math.floor(ms / 1000)
  return [seconds, Math.min(999_999_999, Math.round((ms - seconds * 1000) * 1e6))]
}
