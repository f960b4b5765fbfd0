/** Traces, metrics and log lines. */

import { choice, list, toggle } from '../kinds.ts'
import { webUrl } from '../network-kinds.ts'
import { section, setting } from '../setting.ts'
import { headerPair, line } from '../text-kinds.ts'

export const telemetry = section('Telemetry', {
  OTEL_EXPORTER_OTLP_ENDPOINT: setting(webUrl(), {
    says: 'Base URL of the OTLP/HTTP collector that receives traces and metrics; unset, none are sent.',
  }),
  OTEL_EXPORTER_OTLP_HEADERS: setting(list(headerPair()), {
    secret: true,
    says: 'Headers sent to the collector, such as its key; unset and empty both send none.',
  }),
  OTEL_SERVICE_NAME: setting(line(200), {
    default: 'arrowhead',
    says: 'Name under which traces and metrics are filed.',
  }),
  PROMETHEUS_ENABLED: setting(toggle(), {
    default: false,
    says: 'Whether the HTTP door serves its metrics at `/metrics` in the Prometheus text format.',
  }),
  LOG_LEVEL: setting(choice(['info', 'warn', 'error']), {
    default: 'info',
    says: 'Least important log lines that are still written: info is every call, warn what was refused or looks wrong, error what failed; the trail keeps every row all the same.',
  }),
})
