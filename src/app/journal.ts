/** Writes what calls came to: a line to the log and a row to the trail, both from the same record. */

import type { AuditKind, AuditOutcome, AuditRow, AuditTrail, TrailHead } from '../kernel/audit.ts'
import type { Call } from '../kernel/call.ts'
import type { Door } from '../kernel/caller.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Awaitable } from '../kernel/awaitable.ts'
import { cutText, statusOf } from '../kernel/errand.ts'
import type { ErrandRow } from '../kernel/errand.ts'
import { refusal } from '../kernel/refusal.ts'
import type { Refusal, RefusalCode } from '../kernel/refusal.ts'
import type { Journal } from '../guard/deps.ts'
import { shapeOf } from '../policy/shape.ts'
import { isLogged, levelOfOutcome } from './log-level.ts'
import type { LogLevel } from './log-level.ts'
import type { Log } from './ports.ts'
import { withoutEncoded } from './without-encoded.ts'

/** What a door refused or noted before there was a call. */
export interface DoorEvent {
  readonly door: Door
  readonly kind: Extract<AuditKind, 'message' | 'http' | 'server'>
  /** A closed term of the door's own, such as `notification` or `request`. */
  readonly component: string
  readonly outcome: Extract<AuditOutcome, 'ok' | 'refused' | 'fault'>
  readonly code: RefusalCode | ''
  readonly reason?: string
  readonly caller?: string
}

export interface JournalPorts {
  readonly clock: Clock
  newId(): string
  /** Undefined where no trail is kept. */
  readonly trail: AuditTrail | undefined
  readonly log: Log
  /** Less important rows leave no line, where the trail keeps them. */
  readonly logLevel: LogLevel
  /** The log's line for a row; with a head it anchors the trail. */
  lineOf(row: AuditRow, head: TrailHead | undefined): string
  /** Takes every credential out of a text; what it throws leaves the text out. */
  redacted(text: string): Promise<string>
  /** Whether an effect needs the trail itself, not only the log. */
  readonly trailRequired: boolean
}

/** Rows of what no call is: a door's own events, and work that a person does with what calls left. */
export interface Records {
  note(event: DoorEvent): void
  /** Puts a row of something that has not happened yet on record. @returns a refusal when nothing could take it. */
  announce(row: AuditRow): Promise<Refusal | undefined>
  /** Puts what came of it on record; on disk when it returns. */
  ended(row: AuditRow): Promise<void>
}

export function createJournal(ports: JournalPorts): Journal & Records {
  const { clock, trail, log, logLevel } = ports
  const lineOf = (row: AuditRow): string => ports.lineOf(row, trail?.head())
  let said: TrailHead | undefined
  /** Of calls that went well only the first line behind a batch says the head of the trail: an anchor as good as one in each. */
  const gatheredLine = (row: AuditRow): string => {
    const head = trail?.head()
    const isSaid = head === said
    said = head
    return ports.lineOf(row, isSaid && row.outcome === 'ok' ? undefined : head)
  }

  /** Effects that only the log knows of, because the trail would not take them: what came of them is said there too. */
  const onLogAlone = new Set<string>()
  const keep = (row: AuditRow): void => {
    trail?.append(row)
    const isOnLogAlone = onLogAlone.delete(row.id)
    if (!isOnLogAlone && !isLogged(levelOfOutcome(row.outcome), logLevel)) return
    if (log.later) log.later(gatheredLine, row)
    else log(lineOf(row))
  }

  const announce: Records['announce'] = async (row) => {
    const kept = await written(trail, row)
    if (kept && !isLogged(levelOfOutcome(row.outcome), logLevel)) return undefined
    const logged = log(lineOf(row), true)
    if (kept) return undefined
    onLogAlone.add(row.id)
    if (logged && !ports.trailRequired) return undefined
    return refusal('audit.unavailable', 'the operator must repair the audit trail first')
  }

  /** An effect's outcome is on disk before its answer leaves; reads are written with their neighbours. */
  const told = (call: Call, row: AuditRow): Awaitable<void> => {
    keep(row)
    return call.component.effect === 'read' ? undefined : trail?.flush().catch(() => {})
  }

  return {
    announce,
    async ended(row) {
      keep(row)
      await trail?.flush().catch(() => {})
    },

    note({ door, kind, component, outcome, code, reason = '', caller = '' }) {
      keep({ id: ports.newId(), at: clock.now(), door, kind, component, caller, args: '', outcome, code, reason, ms: 0, trace: '' })
    },

    async intent(call) {
      const errand = await errandOf(call, 'intent', '', ports)
      const row = rowOf(call, clock, 'intent', '', '')
      return announce(errand === undefined ? row : { ...row, errand })
    },

    outcome(call, is, code, reason) {
      const errand = errandOf(call, is, code, ports)
      return errand === undefined
        ? told(call, rowOf(call, clock, is, code, reason))
        : errand.then((one) => told(call, { ...rowOf(call, clock, is, code, reason), errand: one }))
    },
  }
}

async function written(trail: AuditTrail | undefined, row: AuditRow): Promise<boolean> {
  if (!trail) return false
  try {
    await trail.write(row)
    return true
  } catch {
    return false
  }
}

const rowOf = (call: Call, clock: Clock, outcome: AuditOutcome, code: string, reason: string): AuditRow => ({
  id: call.id,
  at: clock.now(),
  door: call.arrival.door,
  kind: call.component.kind,
  component: call.component.name,
  caller: call.caller.subject,
  args: call.raw === undefined ? '' : shapeOf(call.raw, call.component.argumentNames()),
  outcome,
  code,
  reason,
  ms: Math.round((clock.ticks() - call.startedTicks) * 1000) / 1000,
  trace: call.arrival.parent?.traceId ?? '',
})

const MAX_MOTIVE = 500
const MAX_VALUES = 1_000
/** Characters that are searched for credentials; a text that is cut there loses its end as well, for half of one is not found. */
const [MAX_SEARCHED, MAX_CREDENTIAL] = [100_000, 8_192]

/** At most `max` characters of a text, without credentials; none where it could not be searched for them. */
export async function withoutCredentials(text: string, max: number, redacted: JournalPorts['redacted']): Promise<string> {
  const kept = text.length <= MAX_SEARCHED ? text : cutText(text, MAX_SEARCHED)
  try {
    const found = await redacted(kept)
    const whole = kept === text ? found : found.slice(0, -MAX_CREDENTIAL)
    return cutText(await withoutEncoded(whole.slice(0, max + MAX_CREDENTIAL), redacted), max)
  } catch {
    return ''
  }
}

/** What an assistant's call says besides: nothing, at once, where no assistant made it. */
function errandOf(call: Call, is: AuditOutcome, code: string, { redacted }: JournalPorts): Promise<ErrandRow> | undefined {
  const { errand } = call.arrival
  if (!errand) return undefined
  const clean = (text: string, max: number): Promise<string> => withoutCredentials(text, max, redacted)
  // Values are the local user's alone to leave in the local user's own trail.
  const values = call.caller.bucket === 'local' && call.raw !== undefined ? jsonOf(call.raw) : ''
  return Promise.all([clean(errand.text, MAX_MOTIVE), clean(values, MAX_VALUES)]).then(([motive, shown]) => ({
    request: errand.id, motive, level: call.level, confirmed: call.confirmed, status: statusOf(is, code), values: shown,
  }))
}

function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? ''
  } catch {
    return ''
  }
}
