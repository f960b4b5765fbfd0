/**
 * The front of telemetry, there at once while the SDK loads behind it. A finished call becomes a small record
 * with its own times, and spans are made from records; so calls made while it loads wait in a bounded queue
 * and lose nothing by it, no call waits for anything, and nothing that goes wrong here reaches one.
 */

import type { Call, Outcome } from '../../kernel/call.ts'
import { recordOf } from './call-record.ts'
import type { CallRecord } from './call-record.ts'
import type { TelemetryPorts, TelemetrySettings } from './ports.ts'
import type { Sink } from './sink.ts'

const WAITING_RECORDS = 2048
const CLOSE_MS = 2000

export interface Telemetry {
  /** Opens a span around a call; the function given back ends it. Neither waits nor throws. */
  span(call: Call): (outcome: Outcome) => void
  /** The metrics as a page (`text/plain; version=0.0.4`), where the setting asks for one. @throws Error when there are none: they failed to load, or were closed. */
  readonly prometheusText?: () => Promise<string>
  /** Ends when the SDK is loaded, or failed to load, which the `warn` port hears. Never rejects. */
  readonly ready: Promise<void>
  /** Sends what is queued and ends within two seconds, whatever the collector does. Never rejects. */
  close(): Promise<void>
}

/** Begins to load in the background. Undefined where no setting asks for telemetry, and then nothing is loaded. */
export function createTelemetry(settings: TelemetrySettings, ports: TelemetryPorts): Telemetry | undefined {
  if (settings.otelExporterOtlpEndpoint === undefined && !settings.prometheusEnabled) return undefined
  const { clock } = ports
  const intake = createIntake(ports)
  const ready = import('./sink.ts').then(({ openSink }) => openSink(settings, ports)).then(intake.open, intake.fail)
  let closing: Promise<void> | undefined

  return {
    ready,
    span(call) {
      const startMs = clock.now() - (clock.ticks() - call.startedTicks)
      return (outcome) => intake.take(() => recordOf(call, outcome, { startMs, tookMs: clock.ticks() - call.startedTicks }))
    },
    ...(settings.prometheusEnabled && {
      async prometheusText() {
        await ready
        return intake.page()
      },
    }),
    close: () => (closing ??= within(CLOSE_MS, ready.then(intake.close)).finally(intake.abandon)),
  }
}

/** Records on their way to a sink that may not be there yet, or never. */
function createIntake({ warn }: Pick<TelemetryPorts, 'warn'>) {
  const waiting: CallRecord[] = []
  let sink: Sink | undefined
  let over = false
  let told = false

  // A call's outcome is worth more than its record, so nothing that fails here gets out.
  const guarded = (work: () => void): void => {
    try {
      work()
    } catch (error) {
      if (!told) warn?.(`telemetry: a call was not recorded (${codeOf(error)})`)
      told = true
    }
  }
  const take = (make: () => CallRecord): void => {
    if (over || (!sink && waiting.length === WAITING_RECORDS)) return
    guarded(() => (sink ? sink.record(make()) : void waiting.push(make())))
  }

  return {
    take,
    open(opened: Sink): void {
      if (over) return opened.abandon()
      sink = opened
      for (const record of waiting.splice(0)) take(() => record)
    },
    fail(error: unknown): void {
      over = true
      waiting.length = 0
      warn?.(`telemetry: could not be loaded (${codeOf(error)}); nothing is recorded`)
    },
    async page(): Promise<string> {
      if (!sink?.page || over) throw new Error('there are no metrics')
      return sink.page()
    },
    async close(): Promise<void> {
      over = true
      await sink?.close()
    },
    abandon(): void {
      over = true
      sink?.abandon()
    },
  }
}

/** The same, when it is ready. */
export async function openTelemetry(settings: TelemetrySettings, ports: TelemetryPorts): Promise<Telemetry | undefined> {
  const telemetry = createTelemetry(settings, ports)
  await telemetry?.ready
  return telemetry
}

/** The timer is held on purpose: work that is only waiting would let the process end before it is done. */
async function within(ms: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<void>((resolve) => void (timer = setTimeout(resolve, ms)))
  await Promise.race([work.catch(() => {}), limit])
  clearTimeout(timer)
}

const codeOf = (error: unknown): string => (error instanceof Error ? ('code' in error && typeof error.code === 'string' ? error.code : error.name) : 'unknown')
