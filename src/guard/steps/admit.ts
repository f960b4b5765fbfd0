import { refusal } from '../../kernel/refusal.ts'
import type { Refusal } from '../../kernel/refusal.ts'
import type { Access } from '../../kernel/access.ts'
import type { Call, Carried, Lease } from '../../kernel/call.ts'
import type { Caller } from '../../kernel/caller.ts'
import { LEVELS } from '../../kernel/tool.ts'
import type { Level } from '../../kernel/tool.ts'
import { bindingOf } from '../deps.ts'
import type { GuardDeps } from '../deps.ts'
import type { Admit, Needed } from '../run.ts'

type Guard = Admit<GuardDeps>
type When = Needed<GuardDeps>

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

export const isUnknown: When = ({ known }) => !known

export const known: Guard = (call, deps) => first(quota(call, deps), refusal('component.unknown', 'list the components to see what this caller may use', call.hidden))

/** Rounds of questions that one call may take. */
const MAX_ROUNDS = 8

/** Answers are taken once, by the caller who was asked, for the call that was asked about. */
export const resume: Guard = (call, deps) => {
  const { reply } = call.arrival
  if (!reply) return undefined
  const settle = (redeemed: { readonly state: unknown } | undefined): ReturnType<Guard> => {
    const carried = redeemed?.state as Carried | undefined
    if (!carried || carried.round > MAX_ROUNDS) return first(quota(call, deps), refusal('consent.ticket', 'make the call again without an answer'))
    const answered = carried.open.filter((name) => Object.hasOwn(reply.replies, name))
    // Only a retry that brings every answer is the same call; one that brings none is a new one, and is counted.
    call.resumed = carried.open.length > 0 && answered.length === carried.open.length
    const given = Object.fromEntries(answered.map((name) => [name, reply.replies[name]]))
    call.resume({ ...carried.replies, ...given }, carried.state, carried.round)
    return undefined
  }
  const redeemed = deps.tickets.redeem(reply.ticket, bindingOf(call, deps.policyRevision()))
  return redeemed instanceof Promise ? redeemed.then(settle) : settle(redeemed)
}

const first = (answer: ReturnType<Guard>, otherwise: Refusal): ReturnType<Guard> =>
  answer instanceof Promise ? answer.then((no) => no ?? otherwise) : (answer ?? otherwise)

export const quota: Guard = ({ caller, component, resumed }, { rates, rateLimited }) => {
  if (!rateLimited || resumed) return undefined
  const took = rates.take(rateKey(caller, component.rateName), component.perMinute, MINUTE_MS)
  return took instanceof Promise ? took.then(unlessSpent) : unlessSpent(took)
}

/** A text that was looked up before is found at once, a new one has to be read to its end. */
const rateKeys = new WeakMap<Caller, Map<string, string>>()

function rateKey(caller: Caller, rateName: string): string {
  let own = rateKeys.get(caller)
  if (!own) rateKeys.set(caller, (own = new Map()))
  let key = own.get(rateName)
  if (key === undefined) own.set(rateName, (key = `${caller.bucket}\n${rateName}`))
  return key
}

const unlessSpent = (took: boolean): Refusal | undefined => (took ? undefined : refusal('quota.spent', 'wait a minute, then try again'))

export const hasBudget: When = (_, { budgetPerDay }) => budgetPerDay > 0

export const budget: Guard = ({ caller, resumed }, { rates, budgetPerDay }) => {
  if (resumed) return undefined
  const took = rates.take(`${caller.bucket}\nbudget`, budgetPerDay, DAY_MS)
  const answer = (ok: boolean): Refusal | undefined => (ok ? undefined : refusal('budget.spent', 'the budget refills over a day'))
  return took instanceof Promise ? took.then(answer) : answer(took)
}

export const concurrency: Guard = ({ caller }, { slots }) => {
  const place = slots.take(caller.bucket)
  return place instanceof Promise ? place.then(orFull) : orFull(place)
}

const orFull = (place: Lease | undefined): Lease | Refusal => place ?? refusal('concurrency.full', 'wait for a running call to end, then try again')

/** A call that waits for nothing ends before anybody could look at the clock. */
export const deadline: Guard = (call, { deadlines }) => {
  call.watchedBy(deadlines)
  return undefined
}

export const shape: Guard = (call) => {
  const parsed = call.component.parse(call.raw)
  if (!parsed.ok) return refusal('input.invalid', parsed.problems.join('; '))
  call.input = parsed.value
  return undefined
}

export const access: Guard = (call, deps) => {
  const named = call.component.touches(call.input, deps.inspector)
  return named instanceof Promise ? named.then((all) => allowed(all, call, deps)) : allowed(named, call, deps)
}

const denied = (): Refusal => refusal('access.denied', 'ask the operator for a grant')

function allowed(all: readonly Access[], { caller }: Call, { authorizer }: GuardDeps): Refusal | undefined | Promise<Refusal | undefined> {
  if (all.length === 0) return undefined
  const waiting: Promise<boolean>[] = []
  for (const one of all) {
    const may = authorizer.allows(caller, one)
    if (may instanceof Promise) waiting.push(may)
    else if (may !== true) return denied()
  }
  if (waiting.length === 0) return undefined
  return Promise.all(waiting).then((answers) => (answers.every((may) => may === true) ? undefined : denied()))
}

export const level: Guard = (call, deps) => {
  const { component } = call
  const set = deps.levels.of(component.name, component.level)
  const rise = component.rise?.(call.input, deps.inspector)
  return rise instanceof Promise ? rise.then((risen) => levelled(call, higher(set, risen), deps)) : levelled(call, higher(set, rise), deps)
}

function levelled(call: Call, level: Level, { levels }: GuardDeps): Refusal | undefined {
  call.level = level
  if (level === 'DENIED') return refusal('level.denied')
  if (level === 'RESTRICTED' && !call.component.gated && !levels.optedIn(call.component.name)) return refusal('level.restricted')
  return undefined
}

/** A rise to a word that is no level is a fault: to go on as if nothing rose would leave out the question that was meant. */
function higher(set: Level, risen: Level | undefined): Level {
  if (risen === undefined) return set
  if (!LEVELS.includes(risen)) throw new TypeError('a call rises to a level')
  return LEVELS.indexOf(set) >= LEVELS.indexOf(risen) ? set : risen
}

/** What the operator opened by a gate of its own was agreed to there; everything else from CONFIRM up asks. */
export const needsPerson = ({ level, component }: Pick<Call, 'level' | 'component'>): boolean => level === 'CONFIRM' || (level === 'RESTRICTED' && !component.gated)

export const consent: Guard = (call, deps) => (needsPerson(call) ? deps.consent.decide(call) : undefined)

export const hasEffect: When = ({ effect }) => effect !== 'read'

export const intent: Guard = (call, { journal }) => journal.intent(call)
