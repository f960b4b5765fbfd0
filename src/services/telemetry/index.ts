/** Spans and metrics of calls, for a collector or a Prometheus page. */

export type { Post, TelemetryPorts, TelemetrySettings } from './ports.ts'
export { createTelemetry, openTelemetry } from './telemetry.ts'
export type { Telemetry } from './telemetry.ts'
