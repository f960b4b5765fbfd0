/**
 * The `Agent` port over a loop: one run at a time, recorded as a session, ended by its caller, by its time or by itself.
 * A run that was given up counts as running until the loop has really ended, because two of them would write into one tree.
 */

import type { Clock } from '../../kernel/clock.ts'
import type { Agent, AgentAnswer } from '../../kernel/ports/agent.ts'
import type { SessionEntry, Sessions } from '../../kernel/ports/sessions.ts'
import { Refusal, refusal } from '../../kernel/refusal.ts'

/** One run, as a loop sees it. */
export interface SoloRun {
  readonly prompt: string
  /** Where it is recorded. */
  readonly sessionId: string
  /** Aborts with the Refusal that the caller gets. */
  readonly signal: AbortSignal
  /** To be called before a tool is; only the name is kept. */
  calling(tool: string): Promise<void>
  progress(turn: number, maxTurns?: number): void
}

export type Loop = (run: SoloRun) => Promise<Pick<AgentAnswer, 'text' | 'turns' | 'stopped'>>

export interface SoloAgentOptions {
  readonly loop: Loop
  readonly sessions: Sessions
  /** Absolute path of the workspace. */
  readonly workspace: string
  readonly timeoutMs: number
  readonly clock: Pick<Clock, 'now'>
}

export interface OpenAgent extends Agent {
  /** Ends a run that is under way. */
  close(): Promise<void>
}

/** A loop that does not listen is not waited for longer than this. */
const CLOSE_MS = 1_000

export function createSoloAgent({ loop, sessions, workspace, timeoutMs, clock }: SoloAgentOptions): OpenAgent {
  let isBusy = false
  let under: { readonly stop: AbortController; readonly running: Promise<unknown> } | undefined
  const run = async (prompt: string, stop: AbortController, progress: SoloRun['progress']): Promise<AgentAnswer> => {
    const sessionId = await sessions.open(workspace, prompt)
    const note = async (entry: SessionEntry): Promise<void> => void (await sessions.append(workspace, sessionId, entry))
    await note({ kind: 'asked', text: prompt, at: clock.now() })
    const calling = async (tool: string): Promise<void> => {
      stop.signal.throwIfAborted()
      await note({ kind: 'called', tool, at: clock.now() })
    }
    try {
      const ended = await loop({ prompt, sessionId, signal: stop.signal, calling, progress })
      await note({ kind: 'answered', text: ended.text, at: clock.now() })
      return { ...ended, sessionId }
    } catch (error) {
      await note({ kind: 'answered', text: `(stopped: ${error instanceof Refusal ? error.message : 'it failed'})`, at: clock.now() })
      throw error
    }
  }
  return {
    async ask(prompt, { signal, progress }) {
      signal.throwIfAborted()
      if (isBusy) throw refusal('agent.busy', 'ask again once the other run is over')
      isBusy = true
      const stop = new AbortController()
      const running = run(prompt, stop, progress).finally(() => {
        isBusy = false
        under = undefined
      })
      under = { stop, running }
      const leave = (): void => stop.abort(signal.reason)
      const timer = setTimeout(() => stop.abort(refusal('call.timeout')), timeoutMs)
      signal.addEventListener('abort', leave, { once: true })
      try {
        return await Promise.race([running, aborted(stop.signal)])
      } finally {
        clearTimeout(timer)
        signal.removeEventListener('abort', leave)
        // What a run that was given up comes to is nobody's to hear.
        running.catch(() => {})
      }
    },
    async close() {
      under?.stop.abort(refusal('call.cancelled'))
      await Promise.race([under?.running.catch(() => {}), new Promise<void>((done) => setTimeout(done, CLOSE_MS).unref())])
    },
  }
}

/** Rejects with the reason as soon as there is one; a loop that does not listen is not waited for. */
const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))
