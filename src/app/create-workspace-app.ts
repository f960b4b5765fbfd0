/**
 * The composition root of a workspace server: the same chain over a small catalogue of its own. No model, no key, no
 * network and no runner is wired here, so that none is there to be misused.
 */

import type { Settings } from '../config/index.ts'
import { systemClock } from '../exits/clock.ts'
import { newId } from '../exits/random.ts'
import { chain } from '../guard/chain.ts'
import type { GuardDeps } from '../guard/deps.ts'
import { createRegistry } from '../guard/view.ts'
import type { AuditRow, AuditTrail } from '../kernel/audit.ts'
import { localCaller } from '../kernel/caller.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Tasks } from '../kernel/ports/tasks.ts'
import { refusal } from '../kernel/refusal.ts'
import type { Services } from '../kernel/services.ts'
import { createCanary } from '../policy/canary.ts'
import type { Canary } from '../policy/canary.ts'
import { workspaceAuthorizer } from '../policy/workspace-access.ts'
import type { Ground } from '../policy/workspace-place.ts'
import type { Rule } from '../policy/workspace-rules.ts'
import type { OpenAgent } from '../services/solo-agent/index.ts'
import { createSqliteTrail, logLine } from '../services/audit/index.ts'
import { createSanitiser } from '../services/content/index.ts'
import { createDeadlines } from '../services/limits/deadlines.ts'
import { createMemoryNonces } from '../services/limits/memory-nonces.ts'
import { createMemoryRates } from '../services/limits/memory-rates.ts'
import { createSlots } from '../services/limits/slots.ts'
import { createSeal, createSealedSessions, createSealedTickets } from '../services/tickets/index.ts'
import { workspace as workspaceFamily } from '../tools/workspace/index.ts'
import type { AgentWorld } from './agent-world.ts'
import { trailFile } from './audit-reader.ts'
import { toolEntry } from './components.ts'
import { closingGate } from './closing-gate.ts'
import { contentOf } from './content.ts'
import type { App } from './create-app.ts'
import { createDispatch } from './dispatch.ts'
import { faultLine } from './fault-line.ts'
import { createJournal } from './journal.ts'
import { NO_OPERATOR_ORDERS } from './operator-orders.ts'
import type { OperatorOrders } from './operator-orders.ts'
import { withoutSecrets } from './kept-sessions.ts'
import { isLogged } from './log-level.ts'
import type { AppOptions } from './ports.ts'
import type { RecordedUndo } from './recorded-undo.ts'
import { switchOff } from './workspace-switches.ts'
import { openWorkspace } from './workspace.ts'

export interface WorkspaceAppOptions extends Pick<AppOptions, 'log'> {
  readonly dataDir: string
  /** The workspace, without links. */
  readonly cwd: string
  readonly ground: Ground
  /** Those that hold here: what is not to be inherited is gone from them. */
  readonly rules: readonly Rule[]
  /** What the operator decided beforehand. @default nothing but the defaults */
  readonly orders?: OperatorOrders
  /** Only where the operator typed a permission mode. */
  readonly openAgent?: (world: AgentWorld) => OpenAgent
  readonly replace?: Pick<NonNullable<AppOptions['replace']>, 'clock' | 'trail'>
}

/** Characters of one answer. What the guards add around it stays within a kibibyte. */
const MAX_ANSWER_CHARS = 60_000
const FRAME_CHARS = 1_024

/** Nobody can be asked, so what would need a person is refused at once. */
const NOBODY: GuardDeps['consent'] = { decide: () => refusal('consent.unavailable') }

/** Levels are the tools' own: there is nobody whom a raised one could be put to. */
const DECLARED: GuardDeps['levels'] = { of: (_name, level) => level, optedIn: () => false }

const noTask = (): never => {
  throw refusal('task.missing')
}
const NO_TASKS: Tasks = { start: noTask, schedule: noTask, get: async () => undefined, cancel: async () => undefined, answer: async () => undefined, list: async () => [] }

export function createWorkspaceApp(settings: Settings, options: WorkspaceAppOptions): App {
  const { log = () => false, ground, rules, orders = NO_OPERATOR_ORDERS, replace = {} } = options
  const clock = replace.clock ?? systemClock
  const tell = (event: Readonly<Record<string, unknown>>): void => void log(JSON.stringify(event))
  const warn: typeof tell = isLogged('warn', settings.logLevel) ? tell : () => {}
  const opened = openWorkspace({ settings, clock, warn, ...options })
  const canary = createCanary(orders.canary === 'off' ? [] : orders.tokens)
  const agent = options.openAgent?.({ settings, clock, warn, ...options, orders, canary, sessions: withoutSecrets(opened.sessions, (text) => redacted(text)), deps: () => deps })
  const services = { workspace: opened.search, history: opened.history, ...(agent && { agent }) } as unknown as Services
  const { tools } = workspaceFamily({ withAgent: agent !== undefined })
  const authorizer = workspaceAuthorizer(rules, ground)
  const registry = createRegistry(tools.map((tool) => toolEntry(tool, { services, authorizer, rate: () => undefined, gated: () => false, isCatalogue: false })))
  const stopWatching = switchOff(settings, registry)
  const trail = replace.trail === undefined ? openTrail(settings, options.dataDir, tell) : (replace.trail ?? undefined)
  const fixed = limitsOf(settings, { clock, redactPlanted: plantedIn(canary, orders, warn) })
  const redacted = async (text: string): Promise<string> => (await fixed.content.scanner())(fixed.content.redact?.(text) ?? text)
  const journal = createJournal({ clock, newId, trail, trailRequired: settings.auditRequired, log, logLevel: settings.logLevel, lineOf: (row, head) => logLine(withoutValues(row), head), redacted })
  const nonces = createMemoryNonces(clock)
  const seal = createSeal(() => newId() + newId() + newId())
  const tickets = createSealedTickets({ seal, clock, nonces, lifeMs: settings.askTimeoutSeconds * 1000 })
  const onFault = (incident: string, error: unknown): void => {
    log(faultLine(incident, error, clock.now()))
    void faultText(error, fixed.content).then((text) => tell({ event: 'fault-text', incident, text }))
  }
  const deps: GuardDeps = { ...fixed, clock, newId, authorizer, journal, tickets, policyRevision: () => String(registry.generation), onFault }
  const local = localCaller(new Set(tools.map(({ scope }) => scope)))
  opened.search.begin()
  return {
    settings, registry, local, tasks: NO_TASKS, offers: 'tools', undo: NO_UNDO, redacted, degraded: () => [],
    sessions: createSealedSessions(seal, clock, nonces),
    callerOf: () => local,
    note: (event) => journal.note(event),
    ...closingGate({
      dispatch: createDispatch({ registry, deps, chain, settings }),
      deadlines: deps.deadlines,
      async close() {
        await opened.close()
        await trail?.close()
      },
      async begin() {
        stopWatching()
        await agent?.close()
      },
    }),
  }
}

/** Whoever started this program may keep what it logs, so arguments of the assistant's calls are in the trail alone. */
const withoutValues = (row: AuditRow): AuditRow => (row.errand === undefined ? row : { ...row, errand: { ...row.errand, values: '' } })

/** Nothing here changes a file. */
const NO_UNDO: RecordedUndo = { runs: async () => [], undo: () => Promise.reject(refusal('undo.missing')) }

type Fixed = Omit<GuardDeps, 'clock' | 'newId' | 'authorizer' | 'journal' | 'tickets' | 'policyRevision' | 'onFault'>

/** Looks at every text that leaves. Undefined where nothing is planted. @throws Refusal `text.planted` */
function plantedIn(canary: Canary, { canary: policy, tokens }: OperatorOrders, warn: (event: Readonly<Record<string, unknown>>) => void): ((text: string) => string) | undefined {
  if (policy === 'off' || tokens.length === 0) return undefined
  return (text) => {
    if (!canary.isIn(text)) return text
    warn({ event: 'planted', tool: 'answer' })
    if (policy === 'deny') throw refusal('text.planted')
    return text
  }
}

interface LimitParts {
  readonly clock: Clock
  readonly redactPlanted: ((text: string) => string) | undefined
}

/** What follows from the settings and the orders alone. */
function limitsOf(settings: Settings, { clock, redactPlanted }: LimitParts): Fixed {
  const scanner = once(async () => (await import('../services/secrets/index.ts')).createScanner())
  const sanitiser = createSanitiser({ maxBytes: settings.contentMaxBytes, json: { maxDepth: settings.jsonMaxDepth, maxElements: settings.jsonMaxElements } })
  const content = contentOf(settings, sanitiser, scanner)
  return {
    content: redactPlanted ? { ...content, redact: (text) => redactPlanted(content.redact?.(text) ?? text) } : content,
    rates: createMemoryRates(clock),
    rateLimited: settings.rateLimitEnabled,
    budgetPerDay: settings.budgetCallsPerDay,
    slots: createSlots(settings.maxConcurrentCalls, settings.maxConcurrentCallsPerCaller),
    deadlines: deadlinesOf(settings, clock),
    inspector: { exists: () => false },
    levels: DECLARED,
    consent: NOBODY,
    span: undefined,
    outputMaxBytes: Math.min(settings.outputMaxBytes, MAX_ANSWER_CHARS) - FRAME_CHARS,
  }
}

const MAX_FAULT_CHARS = 1_000

/** What went wrong, for the operator, who sees nothing of it in the answer. Credentials in it are replaced all the same: a client may keep what is said here. */
async function faultText(error: unknown, { scanner }: GuardDeps['content']): Promise<string> {
  const scan = await scanner()
  return scan(error instanceof Error ? error.message : String(error)).slice(0, MAX_FAULT_CHARS)
}

/** A run of the assistant has a time of its own: it takes as long as a model does. */
const RUN_MS = 1_800_000

function deadlinesOf(settings: Settings, clock: Clock): GuardDeps['deadlines'] {
  const [calls, runs] = [createDeadlines(clock, settings.callTimeoutSeconds * 1000), createDeadlines(clock, RUN_MS)]
  return {
    watch: (call) => (call.component.effect === 'execute' ? runs : calls).watch(call),
    stop(why) {
      for (const each of [runs, calls]) each.stop(why)
    },
  }
}

function openTrail(settings: Settings, dataDir: string, warn: (event: Readonly<Record<string, unknown>>) => void): AuditTrail {
  return createSqliteTrail({
    file: trailFile(settings, dataDir),
    ...(settings.auditKey !== undefined && { key: settings.auditKey }),
    flushMs: settings.auditFlushMs, archive: settings.auditArchiveBytes > 0 ? { maxBytes: settings.auditArchiveBytes } : undefined,
    onError: (error) => warn({ event: 'warning', problem: `audit trail: ${String(error)}` }),
  })
}

function once<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined
  return () => (loaded ??= load())
}
