/**
 * The engine behind the chain. It knows phases, not guards; each component's list is compiled once. What is there at once
 * is used at once: a call whose guards and component wait for nothing is over when `run` returns.
 */

import type { Answer } from '../kernel/answer.ts'
import type { Awaitable } from '../kernel/awaitable.ts'
import type { Call, Component, Kind, Lease, Outcome } from '../kernel/call.ts'
import { Ask } from '../kernel/question.ts'
import { Refusal } from '../kernel/refusal.ts'
import type { RunningCall } from './running-call.ts'

/** Around the whole call. It sees every outcome. */
export type Watch<Deps> = (call: RunningCall, next: Run, deps: Deps) => Awaitable<Outcome>
/** Says no, asks, holds something, or says nothing. It cannot forget to continue: continuing is not its job. */
export type Admit<Deps> = (call: Call, deps: Deps) => Awaitable<Refusal | Ask | Lease | undefined>
/** Rewrites what leaves. A refusal ends the call; a throw is a fault. */
export type Release<Deps> = (answer: Answer, call: Call, deps: Deps) => Awaitable<Answer>

/** Whether a guard has anything to do for a component: what never changes is asked once, not with each call. */
export type Needed<Deps> = (component: Component, deps: Deps) => boolean

export interface Step<Guard, Deps> {
  readonly guard: Guard
  readonly kinds: readonly Kind[]
  /** The sentence that documents the row. */
  readonly promise: string
  /** @default for every component of these kinds */
  readonly needed?: Needed<Deps> | undefined
}

export const step = <Guard, Deps>(guard: Guard, kinds: readonly Kind[], promise: string, needed?: Needed<Deps>): Step<Guard, Deps> => ({ guard, kinds, promise, needed })

export interface Chain<Deps> {
  readonly watch: readonly Step<Watch<Deps>, Deps>[]
  readonly admit: readonly Step<Admit<Deps>, Deps>[]
  readonly release: readonly Step<Release<Deps>, Deps>[]
}

export type Run = (call: RunningCall) => Awaitable<Outcome>

/** Flattens the chain for a component. */
export function compile<Deps>(chain: Chain<Deps>, component: Component, deps: Deps, ticks: () => number): Run {
  const of = <Guard>(steps: readonly Step<Guard, Deps>[]): Guard[] =>
    steps.filter(({ kinds, needed }) => kinds.includes(component.kind) && (needed?.(component, deps) ?? true)).map(({ guard }) => guard)
  const [watches, admits, releases] = [of(chain.watch), of(chain.admit), of(chain.release)]

  /** Everything from the admit row `from` on. */
  const admitted = (call: RunningCall, from: number): Awaitable<Outcome> => {
    for (let at = from; at < admits.length; at += 1) {
      const said = (admits[at] as Admit<Deps>)(call, deps)
      if (said instanceof Promise) {
        return call.settle(said).then((answer) => taken(call, answer) ?? admitted(call, at + 1), (why) => {
          void said.then(giveBack, () => {})
          throw why
        })
      }
      const no = taken(call, said)
      if (no) return no
    }
    const answer = answered(call, ticks)
    return answer instanceof Promise ? answer.then((one) => released(call, one, 0)) : released(call, answer, 0)
  }

  const released = (call: RunningCall, given: Answer, from: number): Awaitable<Outcome> => {
    let answer = given
    for (let at = from; at < releases.length; at += 1) {
      // Whatever a row gives back is what leaves: there is nothing to fall back on.
      const changed = (releases[at] as Release<Deps>)(answer, call, deps)
      if (changed instanceof Promise) return call.settle(changed).then((one) => released(call, one, at + 1))
      answer = changed
    }
    return { is: 'ok', answer }
  }

  const inner: Run = (call) => {
    let outcome: Awaitable<Outcome>
    try {
      outcome = admitted(call, 0)
    } catch (error) {
      call.end()
      throw error
    }
    if (outcome instanceof Promise) return outcome.finally(() => call.end())
    call.end()
    return outcome
  }

  return watches.reduceRight<Run>((next, watch) => (call) => watch(call, next, deps), inner)
}

/** What is held for a call that was stopped meanwhile. */
function giveBack(late: Refusal | Ask | Lease | undefined): void {
  if (late !== undefined && !(late instanceof Refusal) && !(late instanceof Ask)) late.release()
}

/** What an admit row's answer ends the call with, if anything; a lease is kept. @throws Ask */
function taken(call: RunningCall, answer: Refusal | Ask | Lease | undefined): Outcome | undefined {
  if (answer instanceof Refusal) return { is: 'refused', refusal: call.stopped ?? answer }
  if (answer !== undefined && !(answer instanceof Ask)) call.hold(answer)
  if (call.stopped) return { is: 'refused', refusal: call.stopped }
  if (answer instanceof Ask) throw answer
  return undefined
}

const MAX_ROUNDS = 8

/** Runs the component. Questions that can be put at once are, and the run begins anew with their answers. */
function answered(call: RunningCall, ticks: () => number, round = 1): Awaitable<Answer> {
  try {
    const answer = call.component.run(call.input, call)
    return answer instanceof Promise ? call.settle(answer).catch((thrown: unknown) => asked(thrown, { call, ticks, round })) : answer
  } catch (thrown) {
    if (thrown instanceof Ask) return asked(thrown, { call, ticks, round })
    throw thrown
  }
}

interface Asked {
  readonly call: RunningCall
  readonly ticks: () => number
  readonly round: number
}

async function asked(thrown: unknown, { call, ticks, round }: Asked): Promise<Answer> {
  if (!(thrown instanceof Ask) || !call.arrival.ask || round > MAX_ROUNDS) throw thrown
  call.resume(await call.wait(thrown.questions, ticks), thrown.state)
  return answered(call, ticks, round + 1)
}
