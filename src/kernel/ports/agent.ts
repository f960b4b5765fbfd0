/** The assistant as another program may use it: one prompt in, one answer out, with nobody to ask in between. */

export interface AgentAnswer {
  readonly text: string
  /** Where the run was recorded. */
  readonly sessionId: string
  readonly turns: number
  /** Why it ended before it was done; undefined when it was. */
  readonly stopped: 'turns' | 'cost' | 'repeated' | 'unreadable' | undefined
}

/** What a run hears of its caller, and tells it. */
export interface AgentCaller {
  readonly signal: AbortSignal
  progress(done: number, total?: number, message?: string): void
}

/** Exists only where the operator typed a permission mode. */
export interface Agent {
  /** One run at a time. @throws Refusal `agent.busy`, `call.timeout`, a `model.*` one, or what the signal carries. */
  ask(prompt: string, caller: AgentCaller): Promise<AgentAnswer>
}
