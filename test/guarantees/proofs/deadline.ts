import { expect, vi } from 'vitest'
import type { Outcome } from '../../../src/kernel/call.ts'
import { codeOf, probe } from '../probes.ts'
import type { Area } from '../proves.ts'
import type { World } from '../world.ts'

/** Starts a tool that never ends, lets its time pass, and says what came of it. */
async function overdue({ open, later }: World): Promise<{ readonly code: string; readonly aborted: boolean }> {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  later(() => vi.useRealTimers())
  let signal: AbortSignal | undefined
  const deaf = probe({
    run: (_input, _services, context) => {
      signal = context.signal
      return new Promise(() => {})
    },
  })
  const { call, clock } = open({ settings: { callTimeoutSeconds: 10 }, options: { tools: [deaf] } })
  let outcome: Outcome | undefined
  void call('probe').then((answer) => {
    outcome = answer
  })
  await vi.advanceTimersByTimeAsync(1_000)
  if (outcome) throw new Error('the call ended before its time')
  clock.pass(10_000)
  await vi.advanceTimersByTimeAsync(1_000)
  return { code: outcome ? codeOf(outcome) : 'pending', aborted: signal?.aborted === true }
}

export const deadline: Area = (proves) => {
  proves('deadline.answered', 'a tool that never ends is answered for when its time is over', async (world) => {
    expect(await overdue(world)).toMatchObject({ code: 'call.timeout' })
  })

  proves('deadline.aborts', 'the signal of a tool aborts when its time is over', async (world) => {
    expect(await overdue(world)).toMatchObject({ aborted: true })
  })

  proves('deadline.human-time', 'a person may think longer than a call may run', async ({ open, later }) => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    later(() => vi.useRealTimers())
    const { dispatch, clock } = open({ settings: { callTimeoutSeconds: 10 }, options: { tools: [probe({ level: 'CONFIRM' })] } })
    const outcome = await dispatch({ kind: 'tool', name: 'probe', args: {} }, undefined, {
      door: 'stdio', capabilities: { elicitation: {} },
      async ask() {
        clock.pass(60_000)
        await vi.advanceTimersByTimeAsync(1_000)
        return { arrowhead_consent: { action: 'accept', content: { approve: true } } }
      },
    })
    expect(codeOf(outcome)).toBe('ok')
  })

  proves('deadline.cancel', 'a cancelled call is answered although its tool goes on', async ({ open }) => {
    const caller = new AbortController()
    let signal: AbortSignal | undefined
    const deaf = probe({
      run: (_input, _services, context) => {
        signal = context.signal
        caller.abort()
        return new Promise(() => {})
      },
    })
    const { dispatch } = open({ options: { tools: [deaf] } })
    const outcome = await dispatch({ kind: 'tool', name: 'probe', args: {} }, undefined, { door: 'library', signal: caller.signal })
    expect([codeOf(outcome), signal?.aborted]).toEqual(['call.cancelled', true])
  })
}
