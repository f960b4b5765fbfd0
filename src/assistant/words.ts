/** The words of the assistant: what it is given, what it tells while it works, and how a request ends. */

import type { Arrival, Dispatch, Outcome } from '../kernel/call.ts'
import type { Caller } from '../kernel/caller.ts'
import type { Status } from '../kernel/errand.ts'
import type { ChatModel } from '../kernel/ports/chat.ts'
import type { Sessions } from '../kernel/ports/sessions.ts'
import type { Ask } from '../kernel/question.ts'
import type { Fields, JsonSchema } from '../kernel/schema.ts'
import type { Conversation } from './conversation.ts'
import type { Timers } from './time-limit.ts'

/** A tool as the assistant knows it. Facts of the registry; a model cannot add one. */
export interface ToolCard {
  readonly name: string
  readonly title: string
  readonly summary: string
  readonly parameters: JsonSchema
  /** Whether it changes nothing. */
  readonly reads: boolean
  /** Whether the same call may be made again and again. */
  readonly polls: boolean
}

export interface AssistantLimits {
  /** Decisions of one request. */
  readonly maxSteps: number
  /** Wall time of one request, a person's time left out. */
  readonly timeoutMs: number
  readonly toolCalling: 'auto' | 'native' | 'json'
}

export interface AssistantPorts {
  readonly dispatch: Dispatch
  readonly caller: Caller
  readonly model: ChatModel
  readonly timers: Timers
  /** What may be chosen from now. */
  tools(): readonly ToolCard[]
  /** Unguessable. */
  newId(): string
  /** Milliseconds since 1970. */
  now(): number
  /** Makes text of a model fit to be shown: nothing hidden, no secret of this server. */
  show(text: string): string
  /** Where conversations are kept, and under which workspace. @default nowhere */
  readonly kept?: { readonly sessions: Sessions; readonly workspace: string } | undefined
}

export type AssistantEvent =
  /** `shown` is the arguments as JSON that a terminal may print. */
  | { readonly is: 'calling'; readonly step: number; readonly tool: string; readonly shown: string }
  | { readonly is: 'called'; readonly step: number; readonly tool: string; readonly status: Status; readonly text: string }
  /** A whole line of what the model says, in order. */
  | { readonly is: 'text'; readonly text: string }

export interface Request {
  readonly text: string
  readonly conversation: Conversation
  /** How the calls of this request arrive: the door, and whoever can be asked. */
  readonly arrival: Pick<Arrival, 'door' | 'ask' | 'capabilities' | 'takesQuestions'>
  readonly signal?: AbortSignal
  readonly onEvent?: (event: AssistantEvent) => void
}

export interface StepRecord {
  readonly tool: string
  readonly args: Fields
  readonly status: Status
}

/** A call that waits for a person's word: what would run, and the ticket under which it may. */
export interface Pending {
  readonly tool: string
  readonly args: Fields
  readonly ask: Ask
  readonly ticket: string
}

export type StopReason = 'steps' | 'repeated' | 'unreadable' | 'cancelled' | 'timeout' | 'model'

interface Ending {
  /** The id under which the audit has every call of this request. */
  readonly request: string
  readonly steps: readonly StepRecord[]
}

export type Ended =
  | (Ending & { readonly is: 'answered'; readonly text: string })
  | (Ending & { readonly is: 'stopped'; readonly why: StopReason; readonly says: string })
  | (Ending & { readonly is: 'pending'; readonly pending: Pending })

export interface Assistant {
  /** Works on one request to its end. Never rejects for what a model, a tool or a person did. */
  ask(request: Request): Promise<Ended>
  /** Tells a conversation what came of a call of it that had to wait for the person. */
  heard(conversation: Conversation, call: Pick<Pending, 'tool' | 'args'>, outcome: Outcome): void
}
