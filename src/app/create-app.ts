/** The composition root: constructs and wires, decides nothing. */

import { isAbsolute, join } from 'node:path'
import type { Settings } from '../config/index.ts'
import { systemClock } from '../exits/clock.ts'
import { openDatabase } from '../exits/disk/database.ts'
import { keptSecret } from '../exits/disk/kept-secret.ts'
import { newId } from '../exits/random.ts'
import { chain } from '../guard/chain.ts'
import type { GuardDeps } from '../guard/deps.ts'
import { createRegistry } from '../guard/view.ts'
import type { Entry, Registry } from '../guard/view.ts'
import type { AuditTrail } from '../kernel/audit.ts'
import type { Awaitable } from '../kernel/awaitable.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Nonces, Sessions } from '../kernel/limits.ts'
import type { Dispatch } from '../kernel/call.ts'
import { ANONYMOUS, localCaller, principal } from '../kernel/caller.ts'
import type { Caller, Claims } from '../kernel/caller.ts'
import type { Bus } from '../kernel/ports/bus.ts'
import type { Tasks } from '../kernel/ports/tasks.ts'
import type { Family } from '../kernel/resource.ts'
import { createSqliteTrail, logLine } from '../services/audit/index.ts'
import { createElicitedConsent } from '../services/consent/elicited-consent.ts'
import { createDeadlines } from '../services/limits/deadlines.ts'
import { createKeptNonces } from '../services/limits/kept-nonces.ts'
import { createMemoryNonces } from '../services/limits/memory-nonces.ts'
import { surfaceDigest } from '../services/surface/digest.ts'
import { createTelemetry } from '../services/telemetry/index.ts'
import { createSeal, createSealedSessions, createSealedTickets } from '../services/tickets/index.ts'
import { assistantFamilies, catalog } from '../tools/catalog.ts'
import { promptEntry, resourceEntry, toolEntry } from './components.ts'
import type { Setting } from './components.ts'
import { closingGate } from './closing-gate.ts'
import { contentOf } from './content.ts'
import { createDispatch } from './dispatch.ts'
import { faultLine } from './fault-line.ts'
import { OWN, isGated, served } from './gates.ts'
import { createJournal } from './journal.ts'
import type { DoorEvent } from './journal.ts'
import { applyKillSwitch } from './kill-switch.ts'
import { inspectorOf, localInspector } from './inspector.ts'
import { authorizerOf, consentWaivers, levelsOf, policyRevisionOf, scopeExpander } from './policies.ts'
import { isLogged } from './log-level.ts'
import type { AppOptions, Log } from './ports.ts'
import { createServices } from './services.ts'
import { recordedUndo } from './recorded-undo.ts'
import type { RecordedUndo } from './recorded-undo.ts'
import { openShared } from './shared.ts'
import type { OpenServices } from './services.ts'
import { openState } from './state.ts'
import { sqlInspector } from './sql.ts'

export interface App {
  readonly settings: Settings
  readonly registry: Registry
  /** What clients are told of. @default tools, resources, prompts and completions */
  readonly offers?: 'tools'
  /** Background work, for the protocol's own way of looking at it; who may look is decided by `dispatch`. */
  readonly tasks: Tasks
  /** Takes back what a run changed among the person's files. For that person, never for a model. */
  readonly undo: RecordedUndo
  /** Takes this server's secrets and every credential out of a text that is kept. */
  redacted(text: string): Promise<string>
  /** The only way to run anything: every door ends here. */
  readonly dispatch: Dispatch
  /** The one caller of a server without auth. */
  readonly local: Caller
  /** Session ids of handshake-era clients over HTTP. */
  readonly sessions: Sessions
  /** A verified caller; scopes grow by the operator's expansion map. */
  callerOf(subject: string, scopes: Iterable<string>, claims?: Claims): Caller
  /** The other processes of this deployment, where it has a way to them. */
  readonly bus?: Bus
  /** What works with less than it should, by name; nothing while all is well. */
  degraded(): Awaitable<readonly string[]>
  /** The numbers so far in Prometheus' text format, where the operator wants them shown. */
  readonly metrics?: () => Promise<string>
  /** Leaves one record of something that a door refused or noted before there was a call. */
  note(event: DoorEvent): void
  /**
   * Ends it, once: calls are refused as `server.closed` from here on, those that run may end in half a second and are
   * stopped then, what is queued is written, and databases are closed.
   */
  close(): Promise<void>
}

/** Everything that an app is made of, before the chain is compiled over it. */
export interface Assembly extends Omit<App, 'dispatch'> {
  readonly deps: GuardDeps
  readonly begin: OpenServices['begin']
}

/** @throws ConfigError when a policy in the settings cannot be applied. */
export function createApp(settings: Settings, options: AppOptions = {}): App {
  const { deps, begin, ...app } = assemble(settings, options)
  const dispatch = createDispatch({ registry: app.registry, deps, chain, settings })
  // Tasks call past the gate: what is cut off of them here is theirs to give back.
  begin({ dispatch, callerOf: ({ isLocal, subject, scopes }) => (isLocal ? app.local : app.callerOf(subject, scopes)) })
  return { ...app, ...closingGate({ dispatch, deadlines: deps.deadlines, close: app.close }) }
}

/** Opens adapters and reads policies. Only `createApp`, and tests that take a guard out, call it. */
export function assemble(settings: Settings, options: AppOptions): Assembly {
  const { replace = {} } = options
  const log = safely(options.log)
  const clock = replace.clock ?? systemClock
  const families = [...catalog, ...assistantFamilies, ownFamily(options)]
  const names = new Set(families.flatMap(namesIn))
  const local: Caller = localCaller(new Set(families.flatMap(scopesIn)))
  const authorizer = replace.authorizer ?? authorizerOf(settings, local)
  const trail = replace.trail === undefined ? openTrail(settings, options) : (replace.trail ?? undefined)
  const warnings: Log = isLogged('warn', settings.logLevel) ? log : () => true
  const warn = (problem: string): void => void warnings(JSON.stringify({ event: 'warning', problem }))

  const secret = (): string => settings.stateKey ?? stateSecret(settings, options)
  const shared = openShared(settings, { clock, warn, secret, nonces: replace.nonces ?? noncesOf(settings, options, clock) })
  const state = openState(settings, { trailFile: replace.trail === undefined ? trailPath(settings, options) : undefined, warn })
  const { services, scanner, security, undo, begin, close } = createServices(settings, clock, { ...options, log: warnings }, { surface: { describe: () => surfaceOf(registry, settings.profile) }, bus: shared.bus, store: state.store })
  const registry = createRegistry(entriesOf(served(families, settings), { services, authorizer, rate: (name) => rateOf(settings, name), gated: () => false, isCatalogue: true }))
  const stopWatching = applyKillSwitch(settings, registry, names, warn)
  const redacted = async (text: string): Promise<string> => (await deps.content.scanner())(deps.content.redact?.(text) ?? text)
  const journal = createJournal({ clock, newId, trail, trailRequired: settings.auditRequired, log, logLevel: settings.logLevel, lineOf: logLine, redacted })
  const telemetry = replace.telemetry === null ? undefined : createTelemetry(settings, { clock, warn })
  const levels = levelsOf(settings, names, security)
  const content = contentOf(settings, services.content, scanner)
  const inspector = localInspector(services, sqlInspector(services.sql, inspectorOf(services.corpus, replace.inspector)))
  const seal = createSeal(secret)
  const deps: GuardDeps = {
    clock, newId, authorizer, journal,
    rates: replace.rates ?? shared.rates,
    rateLimited: settings.rateLimitEnabled,
    budgetPerDay: settings.budgetCallsPerDay,
    slots: shared.slots,
    deadlines: createDeadlines(clock, settings.callTimeoutSeconds * 1000),
    inspector, levels,
    consent: createElicitedConsent({ redact: content.redact, ticks: () => clock.ticks(), inspector, waived: consentWaivers(settings, levels) }),
    policyRevision: policyRevisionOf(settings, registry, authorizer),
    tickets: createSealedTickets({ seal, clock, nonces: shared.nonces, lifeMs: settings.askTimeoutSeconds * 1000 }),
    span: telemetry?.span,
    content,
    outputMaxBytes: settings.outputMaxBytes,
    onFault: (incident, error) => void log(faultLine(incident, error, clock.now())),
  }
  const expand = scopeExpander(settings)
  return {
    settings, registry, local, deps, redacted, tasks: services.tasks,
    undo: recordedUndo(undo, { journal, clock, newId, redacted }),
    begin(ways) {
      begin(ways)
      state.begin()
    },
    sessions: createSealedSessions(seal, clock, shared.nonces),
    degraded: shared.degraded,
    ...(shared.bus && { bus: shared.bus }),
    ...(telemetry?.prometheusText && { metrics: telemetry.prometheusText }),
    callerOf: (subject, scopes, claims) => (subject === '' ? ANONYMOUS : principal(subject, expand(scopes), claims)),
    note: (event) => journal.note(event),
    async close() {
      stopWatching()
      await close()
      await shared.close()
      await telemetry?.close()
      await trail?.close()
      await state.close()
    },
  }
}

/** A log that throws is a log that could not be written. */
function safely(log: Log | undefined): Log {
  const safe: Log = (line, now) => {
    try {
      return log?.(line, now) ?? false
    } catch {
      return false
    }
  }
  // A log that gathers lines is one of ours, and writes them when nobody waits for what it says.
  if (log?.later) safe.later = (lineOf, of) => log.later?.(lineOf, of) ?? false
  return safe
}

const ownFamily = ({ tools = [], resources = [], prompts = [] }: AppOptions): Family => ({ name: OWN, tools, resources, prompts })

const rateOf = ({ perMinute }: Settings, name: string): number | undefined =>
  Object.hasOwn(perMinute, name) ? perMinute[name as keyof typeof perMinute] : undefined

const namesIn = ({ tools, resources, prompts }: Family): string[] => [...tools.map(({ name }) => name), ...resources.map(({ uri }) => uri), ...prompts.map(({ name }) => name)]

const scopesIn = ({ tools, resources, prompts }: Family): string[] => [...tools, ...resources, ...prompts].map(({ scope }) => scope)

const entriesOf = (families: readonly Family[], setting: Setting): readonly Entry[] =>
  families.flatMap((family) => {
    const own: Setting = { ...setting, gated: () => isGated(family.name), isCatalogue: family.name !== OWN }
    return [
      ...family.tools.map((tool) => toolEntry(tool, own)),
      ...family.resources.map((resource) => resourceEntry(resource, own)),
      ...family.prompts.map((prompt) => promptEntry(prompt, own)),
    ]
  })

/** Without a key of the operator's own: one that every process over this data directory shares. */
function stateSecret({ dataDir }: Settings, options: AppOptions): string {
  const folder = options.dataDir ?? dataDir
  return folder === undefined ? newId() + newId() + newId() : keptSecret(join(folder, 'state.key'))
}

/** Shared like the secret that seals what they are for: by every process over the data directory. */
function noncesOf({ dataDir }: Settings, options: AppOptions, clock: Clock): Nonces {
  const folder = options.dataDir ?? dataDir
  return folder === undefined ? createMemoryNonces(clock) : createKeptNonces(() => openDatabase(join(folder, 'state.sqlite')), clock)
}

/** @throws TypeError where the file has no folder to be in. */
function trailPath({ auditFile, dataDir }: Settings, options: AppOptions): string {
  const folder = options.dataDir ?? dataDir
  if (folder === undefined && !isAbsolute(auditFile)) throw new TypeError('an app needs a data directory for its audit trail')
  return isAbsolute(auditFile) ? auditFile : join(folder ?? '', auditFile)
}

function openTrail(settings: Settings, options: AppOptions): AuditTrail | undefined {
  const { log } = options
  return createSqliteTrail({
    file: trailPath(settings, options),
    ...(settings.auditKey !== undefined && { key: settings.auditKey }),
    flushMs: settings.auditFlushMs, archive: settings.auditArchiveBytes > 0 ? { maxBytes: settings.auditArchiveBytes } : undefined,
    onError: (error, { waiting, lost }) => void log?.(JSON.stringify({ event: 'warning', problem: `audit trail: ${String(error)}`, waiting, lost })),
  })
}

const surfaces = new WeakMap<Registry, { generation: number; digest: string; toolCount: number }>()

function surfaceOf(registry: Registry, profile: string): { digest: string; toolCount: number; profile: string } {
  const known = surfaces.get(registry)
  if (known?.generation === registry.generation) return { digest: known.digest, toolCount: known.toolCount, profile }
  const tools = registry.enabled.filter(({ list }) => list === 'tools').map(({ listed }) => listed())
  const made = { generation: registry.generation, digest: surfaceDigest(tools), toolCount: tools.length }
  surfaces.set(registry, made)
  return { digest: made.digest, toolCount: made.toolCount, profile }
}
