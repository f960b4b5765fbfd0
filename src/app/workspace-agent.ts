/**
 * The assistant of a workspace, with nobody to ask: the same loop and the same chain over tools of its own, each call of
 * which passes the walls. Loaded only where the operator typed a permission mode.
 */

import { chain } from '../guard/chain.ts'
import type { GuardDeps } from '../guard/deps.ts'
import { createRegistry } from '../guard/view.ts'
import type { Registry } from '../guard/view.ts'
import type { Authorizer } from '../kernel/authorizer.ts'
import type { Dispatch } from '../kernel/call.ts'
import { localCaller } from '../kernel/caller.ts'
import type { Fields } from '../kernel/schema.ts'
import type { AgentAnswer } from '../kernel/ports/agent.ts'
import { refusal } from '../kernel/refusal.ts'
import type { Services } from '../kernel/services.ts'
import type { Mode } from '../policy/workspace-rules.ts'
import { isConfined, mutates } from '../policy/workspace-rules.ts'
import type { Rule } from '../policy/workspace-rules.ts'
import { createSlots } from '../services/limits/slots.ts'
import { createHooks } from '../services/hooks/create-hooks.ts'
import { createSoloAgent } from '../services/solo-agent/index.ts'
import type { OpenAgent, SoloRun } from '../services/solo-agent/index.ts'
import { confined } from '../tools/confined/index.ts'
import { createConversation, openAssistant } from './assistant.ts'
import type { Ended } from './assistant.ts'
import { openChatModel } from './chat-model.ts'
import { toolEntry } from './components.ts'
import { deniedBy } from './confinement.ts'
import type { Confinement } from './confinement.ts'
import { createDispatch } from './dispatch.ts'
import { meteredModel } from './metered-model.ts'
import type { MeteredModel } from './metered-model.ts'
import type { AgentWorld } from './agent-world.ts'
import { areAsked, createStandingOrders } from './standing-orders.ts'
import type { StandingParts } from './standing-orders.ts'
import { switchOff } from './workspace-switches.ts'
import { openWorkspaceTree } from './workspace-tree.ts'

export interface WorkspaceAgentOptions {
  readonly mode: Mode
  readonly maxTurns: number
  /** Undefined is no bound. */
  readonly maxCost: number | undefined
  /** Whether writes land aside. */
  readonly dryRun: boolean
}

/** What one run is made with. */
interface Desk {
  readonly world: AgentWorld
  readonly options: WorkspaceAgentOptions
  readonly registry: Registry
  readonly deps: GuardDeps
  readonly standing: StandingParts
}

export function openWorkspaceAgent(world: AgentWorld, options: WorkspaceAgentOptions): OpenAgent {
  const { settings, sessions, cwd, rules, clock, orders, warn } = world
  const tree = openWorkspaceTree(world, options)
  const { tools } = confined({ writes: mayWrite(options.mode, rules) })
  const authorizer = wallsOf(tree.walls, (tool, why) => warn({ event: 'denied', tool, why }))
  const services = { tree: tree.files } as unknown as Services
  const registry = createRegistry(tools.map((tool) => toolEntry(tool, { services, authorizer, rate: () => undefined, gated: () => false, isCatalogue: false })))
  const stopWatching = switchOff(settings, registry)
  const isHooked = orders.hooks.preToolUse.length + orders.hooks.postToolUse.length > 0
  const hooks = isHooked ? createHooks(orders.hooks, (problem) => warn({ event: 'warning', problem })) : undefined
  const standing: StandingParts = { orders, canary: world.canary, hooks, cwd, ground: world.ground, warn }
  const deps = (): GuardDeps => ({
    ...world.deps(), authorizer, slots: createSlots(1, 1),
    // What the operator decided something about is put to those orders, as it would be to a person.
    levels: { of: (name, level) => (areAsked(standing, name) ? 'CONFIRM' : level), optedIn: () => false },
  })
  const agent = createSoloAgent({
    sessions, workspace: cwd, clock, timeoutMs: settings.assistantTimeoutSeconds * 1000,
    loop: (run) => worked(run, { world, options, registry, deps: deps(), standing }),
  })
  return {
    ...agent,
    async close() {
      stopWatching()
      await agent.close()
      await tree.close()
    },
  }
}

/** Tools that could do nothing are not offered. */
const mayWrite = (mode: Mode, rules: readonly Rule[]): boolean =>
  mode === 'acceptEdits' || (mode === 'default' && rules.some(({ action, tool }) => action === 'allow' && mutates(tool)))

/** The walls as an authorizer. A no carries its reason, so that the model may do better and the audit knows. */
function wallsOf(walls: () => Promise<Confinement>, onDenied: (tool: string, why: string) => void): Authorizer {
  return {
    async allows(_caller, { action, kind, id }) {
      const tool = action.replace(/^app:/, '')
      const wall = await walls()
      if (kind === 'app:pattern') {
        if (wall.staysBelow(id)) return true
        throw refusal('path.invalid', 'a pattern begins at the path and stays below it', 'pattern')
      }
      const denied = kind === 'app:tree' ? await wall.denies(tool, id) : 'tool'
      if (denied === undefined) return true
      onDenied(tool, denied)
      throw deniedBy(denied)
    },
  }
}

async function worked(run: SoloRun, desk: Desk): Promise<Pick<AgentAnswer, 'text' | 'turns' | 'stopped'>> {
  const { world: { settings, orders, clock }, options: { maxTurns, maxCost }, registry, standing } = desk
  const standingOrders = createStandingOrders(standing, run)
  const inner = createDispatch({ registry, chain, settings, deps: { ...desk.deps, consent: standingOrders.consent } })
  const dispatch: Dispatch = async (request, caller, arrival) => {
    const name = request.kind === 'tool' && isConfined(request.name) ? request.name : 'unknown'
    await run.calling(name)
    const outcome = await inner(request, caller, { ...arrival, run: run.sessionId })
    const args = request.kind === 'tool' ? (request.args as Fields) : {}
    if (name !== 'unknown') await standingOrders.heard(name, args, outcome)
    return outcome
  }
  const meter = maxCost === undefined || orders.prices === undefined ? undefined : { bound: maxCost, prices: orders.prices }
  const model = meteredModel(desk.world.model ?? openChatModel(settings, clock), meter, (turn) => run.progress(turn, maxTurns))
  const local = localCaller(new Set(registry.enabled.map(({ scope }) => scope)))
  const assistant = openAssistant({ settings: { ...settings, assistantMaxSteps: maxTurns }, registry, local, dispatch }, { model })
  const ended = await assistant.ask({ text: run.prompt, conversation: createConversation(), arrival: { door: 'task' }, signal: run.signal })
  return answerOf(ended, model, run.signal)
}

/** @throws Refusal of the model, of the caller's leaving, or of the time. */
function answerOf(ended: Ended, model: MeteredModel, signal: AbortSignal): Pick<AgentAnswer, 'text' | 'turns' | 'stopped'> {
  const { turns } = model
  if (ended.is === 'answered') return { text: ended.text, turns, stopped: undefined }
  signal.throwIfAborted()
  if (ended.is === 'pending') throw refusal('consent.unavailable')
  const text = `(stopped: ${ended.says})`
  switch (ended.why) {
    case 'steps':
      return { text, turns, stopped: 'turns' }
    case 'repeated':
    case 'unreadable':
      return { text, turns, stopped: ended.why }
    case 'cancelled':
      throw refusal('call.cancelled')
    case 'timeout':
      throw refusal('call.timeout')
    case 'model':
      if (model.isSpent) return { text: '(stopped: it would cost more than it may)', turns, stopped: 'cost' }
      throw model.failure ?? refusal('model.failed')
  }
}
