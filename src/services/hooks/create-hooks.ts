/**
 * Programs of the user's own that are asked before a call and told after it: argument lists without a shell, what
 * happens as JSON on the input, an environment made from nothing. One that says no, or says nothing in time, vetoes.
 */

import { runCommand } from '../../exits/process/run-command.ts'
import type { Hook, Hooks } from './parse-hooks.ts'

/** What a hook reads. */
export interface HookEvent {
  readonly tool: string
  readonly args: Readonly<Record<string, unknown>>
  readonly sessionId: string
  /** Absolute path of the workspace; the hook is the user's, who knows it. */
  readonly workspace: string
}

export interface RunHooks {
  /** Whether the call may run. Asks one after the other, and nobody after a no. */
  before(event: HookEvent, signal: AbortSignal): Promise<boolean>
  /** Tells of a call that ran. Never rejects; what still runs when the signal aborts is ended. */
  after(event: HookEvent & { readonly outcome: string }, signal?: AbortSignal): Promise<void>
}

const MAX_OUTPUT_BYTES = 64_000
const encoder = new TextEncoder()

/** @param onFault hears of a hook that did not end by itself; nothing of what it was given. */
export function createHooks(hooks: Hooks, onFault: (problem: string) => void): RunHooks {
  const ran = async (hook: Hook, event: object, signal?: AbortSignal): Promise<boolean> => {
    try {
      const { end, exitCode } = await runCommand({
        argv: hook.argv, cwd: '/', env: { PATH: '/usr/bin:/bin', LANG: 'C.UTF-8' }, stdin: encoder.encode(`${JSON.stringify(event)}\n`),
        wallMs: hook.timeoutMs, maxOutputBytes: MAX_OUTPUT_BYTES, ...(signal && { signal }),
      })
      if (end !== 'exit') onFault(`a hook was ended: ${end}`)
      return end === 'exit' && exitCode === 0
    } catch {
      onFault('a hook could not be started')
      return false
    }
  }
  const wanted = (list: readonly Hook[], tool: string): readonly Hook[] => list.filter(({ tools }) => tools?.has(tool) ?? true)
  return {
    async before(event, signal) {
      for (const hook of wanted(hooks.preToolUse, event.tool)) if (!(await ran(hook, { event: 'preToolUse', ...event }, signal))) return false
      return true
    },
    async after(event, signal) {
      for (const hook of wanted(hooks.postToolUse, event.tool)) if (signal?.aborted !== true) await ran(hook, { event: 'postToolUse', ...event }, signal)
    },
  }
}
