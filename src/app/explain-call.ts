/**
 * What would become of a call, without making it: the chain's own rows for shape, access and level, over the world as it
 * is, and nothing after them. What they looked at is kept, so that it can be shown.
 */

import { RunningCall } from '../guard/running-call.ts'
import { access, level, needsPerson, shape } from '../guard/steps/admit.ts'
import type { Settings } from '../config/index.ts'
import type { Access } from '../kernel/access.ts'
import type { Call, Component } from '../kernel/call.ts'
import { Refusal, refusal } from '../kernel/refusal.ts'
import type { Inspector, Level } from '../kernel/tool.ts'
import { assemble } from './create-app.ts'
import type { Assembly } from './create-app.ts'
import { ASSISTANT } from './gates.ts'
import { consentWaivers } from './policies.ts'
import type { AppOptions } from './ports.ts'

/** A path of this machine that the call names, and what the path policy said of it. */
export interface LookedAt {
  readonly path: string
  readonly use: 'read' | 'write' | 'delete'
  /** Absolute names: as written, and the real one where it differs. Empty where it was refused. */
  readonly resolved: readonly string[]
  readonly refused: Refusal | undefined
}

export interface ToolCall {
  readonly tool: string
  readonly args: unknown
  /** Arguments as a person typed them, for those that the tool wants as a text although they look like something else. */
  readonly texts?: Readonly<Record<string, string>>
}

export interface CallExplained extends ToolCall {
  /** `depends`: on what a database says of the query. */
  readonly verdict: 'runs' | 'asks' | 'refused' | 'depends'
  readonly refused: Refusal | undefined
  /** Undefined for a tool that is not there. */
  readonly level: { readonly value: Level; readonly declared: Level; readonly set: Level } | undefined
  readonly paths: readonly LookedAt[]
  /** What the call names besides; each was authorised, but for those that no grant covers. */
  readonly accesses: readonly Access[]
  readonly ungranted: readonly Access[]
}

/** Nothing is run, written, or sent; only what a call names is looked at. @throws ConfigError for settings that cannot be applied. */
export async function explainCall(settings: Settings, options: AppOptions, call: ToolCall): Promise<CallExplained> {
  // Other servers have no part in a verdict, so none is connected to.
  const app = assemble({ ...settings, redisUrl: undefined, memoryDsn: undefined }, { ...options, log: () => true, replace: { ...options.replace, telemetry: null, trail: null } })
  try {
    return await explained(app, call)
  } finally {
    await app.close()
  }
}

/** The database is not asked: what a query reads is said by its schema. */
const DEPENDS = refusal('sql.unavailable')

async function explained({ registry, local, deps, settings }: Assembly, { tool, args: given, texts = {} }: ToolCall): Promise<CallExplained> {
  const component = registry.view(local.scopes).entry('tools', tool)?.component
  if (!component) return { tool, args: given, verdict: 'refused', refused: refusal('component.unknown', undefined, registry.why('tool', tool).reason), level: undefined, paths: [], accesses: [], ungranted: [] }
  const args = asWanted(component, given, texts)
  const [paths, accesses, ungranted]: [LookedAt[], Access[], Access[]] = [[], [], []]
  const inspector = watching(deps.inspector, paths)
  const allows: Assembly['deps']['authorizer']['allows'] = async (caller, one) => {
    const is = await deps.authorizer.allows(caller, one)
    accesses.push(one)
    if (!is) ungranted.push(one)
    return is
  }
  const watched = { ...deps, inspector, authorizer: { ...deps.authorizer, allows } }
  const call = new RunningCall({ id: 'explained', caller: local, arrival: { door: 'cli' }, startedTicks: 0, component, raw: args, hidden: '', authorizer: { allows: (caller, one) => deps.authorizer.allows(caller, one) } })
  const set = deps.levels.of(component.name, component.level)
  let [depends, isLevelKnown] = [false, false]
  const said = (refused: Refusal | undefined): CallExplained => {
    const asks = needsPerson(call) && consentWaivers(settings, deps.levels)(call) !== 'always'
    return { tool, args, refused, paths, accesses, ungranted, level: { value: isLevelKnown ? call.level : set, declared: component.level, set }, verdict: refused ? 'refused' : depends ? 'depends' : asks ? 'asks' : 'runs' }
  }
  try {
    const wrong = shape(call, watched)
    if (wrong instanceof Refusal) return said(wrong)
    const denied = await Promise.resolve(access(call, watched)).catch((error: unknown) => {
      if (error !== DEPENDS) throw error
      depends = true
    })
    if (denied instanceof Refusal) return said(denied)
    await lookAtRead(component, call, inspector, settings)
    const high = await level(call, watched)
    isLevelKnown = true
    return said(high instanceof Refusal ? high : undefined)
  } catch (error) {
    if (error instanceof Refusal) return said(error)
    throw error
  } finally {
    call.end()
  }
}

function asWanted({ parse }: Component, given: unknown, texts: Readonly<Record<string, string>>): unknown {
  const parsed = parse(given)
  if (parsed.ok) return given
  const wanted = Object.entries(texts).filter(([name]) => parsed.problems.some((problem) => problem.startsWith(`${name}: expected string`)))
  return { ...(given as object), ...Object.fromEntries(wanted) }
}

/** The one tool that names a path of this machine only in the profile of the assistant. */
async function lookAtRead({ name }: Component, { input }: Call, inspector: Inspector, { profile }: Settings): Promise<void> {
  if (profile === ASSISTANT && name === 'read_file') await inspector.places?.(String(input['path']), 'read')
}

function watching(inspector: Inspector, paths: LookedAt[]): Inspector {
  return {
    ...inspector,
    async places(path, use) {
      try {
        const resolved = (await inspector.places?.(path, use)) ?? [path]
        paths.push({ path, use, resolved, refused: undefined })
        return resolved
      } catch (error) {
        if (error instanceof Refusal) paths.push({ path, use, resolved: [], refused: error })
        throw error
      }
    },
    reads: () => Promise.reject(DEPENDS),
  }
}
