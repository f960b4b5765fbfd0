/** One request through one door, and everything that it can come to. */

import type { Access } from './access.ts'
import type { Answer } from './answer.ts'
import type { Awaitable } from './awaitable.ts'
import type { Caller, Door } from './caller.ts'
import type { Errand } from './errand.ts'
import type { Plan } from './leaf.ts'
import type { Panel } from './panel.ts'
import type { TaskHandle } from './ports/tasks.ts'
import type { Ask, Capabilities, Questions, Replies } from './question.ts'
import type { Refusal } from './refusal.ts'
import type { Fields, Parsed } from './schema.ts'
import type { CallContext, Effect, Inspector, Level, Replacement } from './tool.ts'

export type Kind = 'tool' | 'resource' | 'prompt' | 'completion' | 'listing'

/** What the guards know of a component: facts and closures, compiled once. */
export interface Component {
  readonly kind: Kind
  /** A registered name, or `unknown`. */
  readonly name: string
  /** For a person; the name where there is no other. */
  readonly title: string
  readonly known: boolean
  readonly scope: string | undefined
  readonly effect: Effect
  readonly level: Level
  /** Whether an operator's gate already opted into RESTRICTED. */
  readonly gated: boolean
  /** Calls that share a rate name share a bucket. */
  readonly rateName: string
  readonly perMinute: number
  /** Names that may appear in the audit. */
  argumentNames(): ReadonlySet<string>
  readonly plan: Plan | undefined
  readonly scansSecrets: boolean
  /** Whether the same call is made again to see what has changed. */
  readonly polls: boolean
  parse(raw: unknown): Parsed<Fields>
  touches(input: Fields, inspector: Inspector): Awaitable<readonly Access[]>
  rise?(input: Fields, inspector: Inspector): Awaitable<Level>
  replaces?(input: Fields, inspector: Inspector): Awaitable<Replacement | undefined>
  /** Whether an answer has the shape that was promised. */
  fits(value: Fields): boolean
  run(input: Fields, call: Call): Awaitable<Answer>
}

/** A span elsewhere (W3C Trace Context §3.2.2): lower-case hex ids, and the flags as a number from 0 to 255. */
export interface RemoteParent {
  readonly traceId: string
  readonly spanId: string
  readonly flags: number
}

/** What came with the request besides its name and arguments. */
export interface Arrival {
  readonly door: Door
  /** Aborts when the caller cancels or leaves. */
  readonly signal?: AbortSignal
  /** The same for doors that keep a plain listener, which costs less than a signal for each call. */
  onGone?(stop: () => void): void
  /** Groups calls without an errand whose changes are undone together. @default the errand's id, or the call's own */
  readonly run?: string
  /** What the call is made for, where an assistant makes it for a person. */
  readonly errand?: Errand
  /** The caller's span, where it sent a well-formed `traceparent`. */
  readonly parent?: RemoteParent
  readonly progress?: (done: number, total?: number, message?: string) => void
  /** Sends a notification on the call's own stream. */
  readonly tell?: (method: string, params: Fields) => void
  /** How many times longer than a call this may take; for work that nobody waits for. @default 1 */
  readonly patience?: number
  /** What the client can be asked. */
  readonly capabilities?: Capabilities
  /** Asks at once and waits, where the door has a line to whoever answers. With a panel, it is a person's word that is asked for. */
  readonly ask?: (questions: Questions, panel?: Panel) => Promise<Replies>
  /** The ticket and the answers of a call that is tried again. */
  readonly reply?: { readonly ticket: string; readonly replies: Replies }
  /** Whether questions may be given back instead of an answer. */
  readonly takesQuestions?: boolean
}

export interface Call extends CallContext {
  readonly id: string
  readonly component: Component
  readonly arrival: Arrival
  readonly raw: unknown
  /** Why a component is not in the caller's view; for the audit alone. */
  readonly hidden: string
  readonly startedTicks: number
  /** Written by `shape`, read by everything after it. */
  input: Fields
  /** Written by `level`, read by `consent`. */
  level: Level
  /** Written by `consent`. */
  agreedTo: string | undefined
  /** Written by `consent`: whether a person agreed to this call. */
  confirmed: boolean
  /** Whether this run continues an earlier one, which was counted. */
  resumed: boolean
  /** Answers that came, and what was kept with their questions: the next run has them. */
  resume(replies: Replies, state: Fields, round?: number): void
  /** What must come back with the answers to these questions. */
  carry(ask: Ask): Carried
  /** Waits for whoever answers; their time is not the call's. @throws Ask where the door has no line to them. */
  wait(questions: Questions, ticks: () => number, panel?: Panel): Promise<Replies>
  /** Has its time watched from the first thing on that it waits for. */
  watchedBy(deadlines: Deadlines): void
  /** Milliseconds that the call itself has taken by `now`, without the time of people. */
  worked(now: number): number
  /** Stops the call: the handler's signal aborts and the caller gets this refusal. */
  stop(why: Refusal): void
}

/** Held while a call runs, given back at its end. */
export interface Lease {
  release(): void
}

export interface Deadlines {
  /** Stops the call with `call.timeout` when its time is over, unless released before. */
  watch(call: Call): Lease
  /** Stops every call that waits for something, but the work of tasks: whoever runs those gives them back. */
  stop(why: Refusal): void
}

/** What an unfinished call takes along through its caller, sealed. */
export interface Carried {
  readonly state: Fields
  /** Answers that earlier rounds brought. */
  readonly replies: Replies
  /** Names of the questions that are open. */
  readonly open: readonly string[]
  readonly round: number
}

export type Outcome =
  | { readonly is: 'ok'; readonly answer: Answer }
  | { readonly is: 'refused'; readonly refusal: Refusal }
  | { readonly is: 'fault'; readonly incident: string }
  /** Questions to answer; `ticket` must come back with the answers. */
  | { readonly is: 'ask'; readonly ask: Ask; readonly ticket: string }
  | { readonly is: 'task'; readonly task: TaskHandle }

export type Request =
  | { readonly kind: 'tool'; readonly name: string; readonly args: unknown }
  | { readonly kind: 'resource'; readonly uri: string }
  | { readonly kind: 'prompt'; readonly name: string; readonly args: unknown }
  | { readonly kind: 'completion'; readonly of: 'prompt' | 'resource'; readonly name: string; readonly argument: string; readonly typed: string }
  | { readonly kind: 'listing'; readonly of: ListingName; readonly cursor?: string }

export const LISTINGS = ['tools', 'resources', 'templates', 'prompts'] as const
export type ListingName = (typeof LISTINGS)[number]

/** The one way in, for every door. Never throws, never rejects; answers at once where nothing had to be waited for. */
export type Dispatch = (request: Request, caller: Caller, arrival: Arrival) => Awaitable<Outcome>
