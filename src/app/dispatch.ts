/** The one way in: resolves a request in the caller's view, then runs the chain for its kind. */

import { Answer } from '../kernel/answer.ts'
import { after } from '../kernel/awaitable.ts'
import type { Component, Dispatch, Kind, ListingName, Outcome, Request } from '../kernel/call.ts'
import type { Caller } from '../kernel/caller.ts'
import type { RefusalCode } from '../kernel/refusal.ts'
import type { GuardDeps } from '../guard/deps.ts'
import { compile } from '../guard/run.ts'
import type { Chain, Run } from '../guard/run.ts'
import { RunningCall } from '../guard/running-call.ts'
import type { Registry } from '../guard/view.ts'
import { listingComponent, unknownComponent } from './components.ts'

const KINDS = ['tool', 'resource', 'prompt', 'completion', 'listing'] as const

export interface DispatchParts {
  readonly registry: Registry
  readonly deps: GuardDeps
  readonly chain: Chain<GuardDeps>
  /** Calls per minute and caller of unknown names, all together, and of each listing. */
  readonly settings: { readonly unknownPerMinute: number; readonly listingPerMinute: number }
}

interface Resolved {
  readonly component: Component
  readonly run: Run
  readonly raw: unknown
  readonly hidden: string
}

export function createDispatch({ registry, deps, chain, settings }: DispatchParts): Dispatch {
  const runs = new Map<Component, Run>()
  const runOf = (component: Component): Run => {
    let run = runs.get(component)
    if (!run) runs.set(component, (run = compile(chain, component, deps, () => deps.clock.ticks())))
    return run
  }
  const unknowns = byKind((kind) => unknownComponent(kind, settings.unknownPerMinute))
  const lists = byName((of) => listingComponent(of, settings.listingPerMinute, ({ caller }) => registry.view(caller.scopes).listings[of]))

  const unseen = (kind: 'tool' | 'resource' | 'prompt', as: Kind, name: string, raw: unknown): Resolved => {
    const why = registry.why(kind, name)
    return { component: { ...unknowns[as], name: why.name }, run: runOf(unknowns[as]), raw, hidden: why.reason }
  }

  const known = (component: Component, raw: unknown): Resolved => ({ component, run: runOf(component), raw, hidden: '' })

  const resolve = (request: Request, { scopes }: Caller): Resolved => {
    if (request.kind === 'listing') return known(lists[request.of], { cursor: request.cursor })
    const view = registry.view(scopes)
    if (request.kind === 'completion') {
      const entry = request.of === 'prompt' ? view.entry('prompts', request.name) : (view.entry('templates', request.name) ?? view.entry('resources', request.name))
      const raw = { argument: request.argument, typed: request.typed }
      return entry ? known(entry.completion, raw) : unseen(request.of, 'completion', request.name, raw)
    }
    const name = request.kind === 'resource' ? request.uri : request.name
    const found = view.find(request.kind, name)
    const raw = request.kind === 'resource' ? (found?.params ?? {}) : request.args
    return found ? known(found.entry.component, raw) : unseen(request.kind, request.kind, name, raw)
  }

  return (request, caller, arrival) => {
    const { component, run, raw, hidden } = resolve(request, caller)
    const call = new RunningCall({ id: deps.newId(), caller, arrival, startedTicks: deps.clock.ticks(), component, raw, hidden, authorizer: deps.authorizer })
    const running = run(call)
    return component.kind === 'completion' ? after(running, quietly) : running
  }
}

/** A completion is a courtesy: where there is none, whatever the reason, nobody who types is disturbed. The audit knows. */
const quietly = (outcome: Outcome): Outcome =>
  outcome.is === 'refused' && SILENT.has(outcome.refusal.code) ? { is: 'ok', answer: new Answer({ values: [], more: false }) } : outcome

const SILENT: ReadonlySet<RefusalCode> = new Set(['access.denied', 'component.unknown', 'concurrency.full', 'input.invalid', 'path.invalid', 'quota.spent'])

const byKind = <T>(make: (kind: Kind) => T): Readonly<Record<Kind, T>> =>
  Object.fromEntries(KINDS.map((kind) => [kind, make(kind)])) as Record<Kind, T>

const byName = <T>(make: (of: ListingName) => T): Readonly<Record<ListingName, T>> => ({
  tools: make('tools'), resources: make('resources'), templates: make('templates'), prompts: make('prompts'),
})
