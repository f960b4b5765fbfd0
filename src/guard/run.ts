/** The engine behind the chain. It knows phases, not guards; each kind's list is compiled once. */

import type { Answer } from '../kernel/answer.ts'
import type { Call, Kind, Lease, Outcome } from '../kernel/call.ts'
import { Ask } from '../kernel/question.ts'
import { Refusal } from '../kernel/refusal.ts'
import type { RunningCall } from './running-call.ts'

type Awaitable<T> = T | Promise<T>

/** Around the whole call. It sees every outcome. */
export type Watch<Deps> = (call: Call, next: () => Promise<Outcome>, deps: Deps) => Promise<Outcome>
/** Says no, asks, holds something, or says nothing. It cannot forget to continue: continuing is not its job. */
export type Admit<Deps> = (call: Call, deps: Deps) => Awaitable<Refusal | Ask | Lease | undefined>
/** Rewrites what leaves. A refusal ends the call; a throw is a fault. */
export type Release<Deps> = (answer: Answer, call: Call, deps: Deps) => Awaitable<Answer>

export interface Step<Guard> {
  readonly guard: Guard
  readonly kinds: readonly Kind[]
  /** The sentence that documents the row. */
  readonly promise: string
}

export const step = <Guard>(guard: Guard, kinds: readonly Kind[], promise: string): Step<Guard> => ({ guard, kinds, promise })

export interface Chain<Deps> {
  readonly watch: readonly Step<Watch<Deps>>[]
  readonly admit: readonly Step<Admit<Deps>>[]
  readonly release: readonly Step<Release<Deps>>[]
}

export type Run = (call: RunningCall) => Promise<Outcome>

/** Flattens the chain for one kind of component. */
export function compile<Deps>(chain: Chain<Deps>, kind: Kind, deps: Deps, ticks: () => number): Run {
  const of = <Guard>(steps: readonly Step<Guard>[]): Guard[] =>
    steps.filter(({ kinds }) => kinds.includes(kind)).map(({ guard }) => guard)
  const [watches, admits, releases] = [of(chain.watch), of(chain.admit), of(chain.release)]

  const inner: Run = async (call) => {
    const leases: Lease[] = []
    try {
      for (const admit of admits) {
        const said = admit(call, deps)
        const answer = said instanceof Promise ? await call.settle(said) : said
        if (call.stopped) return { is: 'refused', refusal: call.stopped }
        if (answer === undefined) continue
        if (answer instanceof Refusal) return { is: 'refused', refusal: answer }
        if (answer instanceof Ask) throw answer
        leases.push(answer)
      }
      let answer = await answered(call, ticks)
      for (const release of releases) {
        const released = release(answer, call, deps)
        answer = released instanceof Promise ? await call.settle(released) : released
      }
      return { is: 'ok', answer }
    } finally {
      for (const lease of leases.reverse()) lease.release()
      call.end()
    }
  }

  return watches.reduceRight<Run>((next, watch) => (call) => watch(call, () => next(call), deps), inner)
}

const MAX_ROUNDS = 8

/** Runs the component. Questions that can be put at once are, and the run begins anew with their answers. */
async function answered(call: RunningCall, ticks: () => number): Promise<Answer> {
  for (let round = 1; ; round += 1) {
    try {
      return await call.settle(call.component.run(call.input, call))
    } catch (thrown) {
      if (!(thrown instanceof Ask) || !call.arrival.ask || round > MAX_ROUNDS) throw thrown
      call.resume(await call.wait(thrown.questions, ticks), thrown.state)
    }
  }
}
