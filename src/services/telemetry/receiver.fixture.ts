/** An OTLP/HTTP collector of a test's own, and an app whose calls are observed. */

import { createServer } from 'node:http'
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { assemble } from '../../app/create-app.ts'
import { createDispatch } from '../../app/dispatch.ts'
import type { AppOptions } from '../../app/ports.ts'
import { loadSettings } from '../../config/index.ts'
import type { Settings } from '../../config/index.ts'
import { chain } from '../../guard/chain.ts'
import type { Call, Outcome, Request } from '../../kernel/call.ts'
import { principal } from '../../kernel/caller.ts'
import type { Arrival } from '../../kernel/call.ts'
import { createTelemetry } from './telemetry.ts'
import type { Telemetry } from './telemetry.ts'

export interface Received {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

export interface Receiver {
  readonly endpoint: string
  readonly received: readonly Received[]
  spans(): readonly Span[]
  /** Data points of the newest export of a metric. */
  points(name: string): readonly Point[]
  close(): Promise<void>
}

interface Attribute { readonly key: string; readonly value: { readonly stringValue: string } }
interface Attributed { readonly attributes: readonly Attribute[] }

export interface Span extends Attributed {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly status: { readonly code: number; readonly message?: string }
}

export interface Point extends Attributed {
  readonly asDouble?: number
  readonly count?: number
  readonly sum?: number
  readonly explicitBounds?: readonly number[]
}

interface Metric { readonly name: string; readonly unit: string; readonly sum?: { readonly dataPoints: readonly Point[] }; readonly histogram?: { readonly dataPoints: readonly Point[] } }
interface TracesBody { readonly resourceSpans: readonly { readonly resource: Attributed; readonly scopeSpans: readonly { readonly spans: readonly Span[] }[] }[] }
interface MetricsBody { readonly resourceMetrics: readonly { readonly scopeMetrics: readonly { readonly metrics: readonly Metric[] }[] }[] }

export const attributesOf = ({ attributes }: Attributed): Readonly<Record<string, string>> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue]))

/** Listens on a loopback port. Without `answer`, everything is taken. */
export async function startReceiver(answer: (response: ServerResponse, count: number) => void = (response) => void response.end('{}')): Promise<Receiver> {
  const received: Received[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      received.push({ path: request.url ?? '', headers: request.headers, text: Buffer.concat(chunks).toString() })
      answer(response, received.length)
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const bodies = <Body>(path: string): readonly Body[] => received.filter((one) => one.path === path).map(({ text }) => JSON.parse(text) as Body)
  return {
    received,
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: () => bodies<TracesBody>('/v1/traces').flatMap(({ resourceSpans }) => resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))),
    points(name) {
      const newest = bodies<MetricsBody>('/v1/metrics').at(-1)
      const metrics = newest?.resourceMetrics.flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics)) ?? []
      return metrics.filter((metric) => metric.name === name).flatMap(({ sum, histogram }) => (sum ?? histogram)?.dataPoints ?? [])
    },
    close: () => new Promise((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    }),
  }
}

export interface Observed {
  readonly telemetry: Telemetry
  readonly warnings: readonly string[]
  /** Every call so far, as the chain sees it. */
  readonly calls: readonly Call[]
  call(request: Request, arrival?: Arrival): Promise<Outcome>
  close(): Promise<void>
}

export const calculate = (expression: string): Request => ({ kind: 'tool', name: 'calculate', args: { expression } })

/** The app of some settings with telemetry around its chain, wired as an app wires it. */
export function observe(given: { readonly [Key in keyof Settings]?: unknown }, options: AppOptions = {}): Observed {
  const warnings: string[] = []
  const calls: Call[] = []
  const settings = loadSettings({ file: JSON.stringify(given) }).values
  const { deps, registry, close } = assemble(settings, { ...options, replace: { trail: null, ...options.replace } })
  const telemetry = createTelemetry(settings, { clock: deps.clock, warn: (problem) => void warnings.push(problem) })
  if (!telemetry) throw new Error('telemetry is off')
  const span: typeof telemetry.span = (call) => {
    calls.push(call)
    return telemetry.span(call)
  }
  const dispatch = createDispatch({ registry, chain, settings, deps: { ...deps, span } })
  const caller = principal('ada@example.com', new Set(registry.all.map(({ scope }) => scope)))
  return {
    telemetry, warnings, calls,
    call: async (request, arrival = { door: 'http' }) => dispatch(request, caller, arrival),
    async close() {
      await telemetry.close()
      await close()
    },
  }
}
