/** What telemetry is told by the settings, and what it asks of the outside. */

import type { Clock } from '../../kernel/clock.ts'

/** The part of the settings that telemetry reads, under the settings' own names. */
export interface TelemetrySettings {
  /** Base URL of an OTLP/HTTP collector; unset, nothing is exported. */
  readonly otelExporterOtlpEndpoint: string | undefined
  /** `name=value`, values percent-encoded where they must be. */
  readonly otelExporterOtlpHeaders: readonly string[] | undefined
  readonly otelServiceName: string
  readonly prometheusEnabled: boolean
}

export interface PostRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  /** Aborts when the answer is no longer waited for. */
  readonly signal: AbortSignal
}

export interface PostAnswer {
  readonly status: number
  /** The `Retry-After` header (RFC 9110 §10.2.3), where it held a number. */
  readonly retryAfterSeconds?: number
}

/** Sends one body to the collector and answers any status. Rejects with `egress.unreachable` where another try may help. */
export type Post = (request: PostRequest) => Promise<PostAnswer>

export interface TelemetryPorts {
  readonly clock: Clock
  /** @default the operator's client, with the collector's host and port as its one exemption */
  readonly post?: Post
  /** Hears, once for each spell of it, that telemetry is being lost. Never throws. @default nobody */
  warn?(problem: string): void
}
