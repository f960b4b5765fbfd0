import { describe, expect, it } from 'vitest'
import type { AgentCaller } from '../../kernel/ports/agent.ts'
import { refusal } from '../../kernel/refusal.ts'
import { testClock } from '../../testing/index.ts'
import { createMemorySessions } from '../sessions/index.ts'
import { createSoloAgent } from './index.ts'
import type { Loop } from './index.ts'

const caller = (signal = new AbortController().signal): AgentCaller => ({ signal, progress: () => {} })
const DONE = { text: 'done', turns: 1, stopped: undefined } as const

function agentOf(loop: Loop, timeoutMs = 60_000) {
  let ids = 0
  const clock = testClock()
  const sessions = createMemorySessions(clock, () => `s${(ids += 1)}`)
  return { sessions, agent: createSoloAgent({ loop, sessions, workspace: '/w', timeoutMs, clock }) }
}

/** A promise and what settles it. */
function later(): { readonly when: Promise<void>; readonly go: () => void } {
  let go = (): void => {}
  const when = new Promise<void>((done) => {
    go = done
  })
  return { when, go: () => go() }
}

describe('a run', () => {
  it('is recorded as a session, with the names of tools alone', async () => {
    const { agent, sessions } = agentOf(async ({ calling }) => {
      await calling('grep')
      return DONE
    })
    expect(await agent.ask('why', caller())).toEqual({ ...DONE, sessionId: 's1' })
    expect((await sessions.read('/w', 's1', 10))?.map((entry) => (entry.kind === 'called' ? entry.tool : entry.text))).toEqual(['why', 'grep', 'done'])
  })

  it('is refused while another is under way, and not queued', async () => {
    const [gate, prompts] = [later(), [] as string[]]
    const { agent } = agentOf(async ({ prompt }) => {
      prompts.push(prompt)
      await gate.when
      return DONE
    })
    const first = agent.ask('first', caller())
    await expect(agent.ask('second', caller())).rejects.toMatchObject({ code: 'agent.busy' })
    gate.go()
    await first
    await agent.ask('third', caller())
    expect(prompts).toEqual(['first', 'third'])
  })

  it('ends when its caller leaves, and keeps the place until the loop has really ended', async () => {
    const gate = later()
    const { agent } = agentOf(async () => {
      await gate.when
      return DONE
    })
    const leaving = new AbortController()
    const asked = agent.ask('first', caller(leaving.signal))
    leaving.abort(refusal('call.cancelled'))
    await expect(asked).rejects.toMatchObject({ code: 'call.cancelled' })
    await expect(agent.ask('second', caller())).rejects.toMatchObject({ code: 'agent.busy' })
    gate.go()
    await gate.when
    await new Promise((resolve) => setImmediate(resolve))
    expect(await agent.ask('third', caller())).toMatchObject(DONE)
  })

  it('cannot hang: its time ends it, and it calls no tool after that', async () => {
    const [gate, called] = [later(), [] as unknown[]]
    const { agent, sessions } = agentOf(async ({ calling }) => {
      await gate.when
      await calling('write').catch((error: unknown) => called.push(error))
      return DONE
    }, 5)
    await expect(agent.ask('first', caller())).rejects.toMatchObject({ code: 'call.timeout' })
    gate.go()
    await expect.poll(() => called.length).toBe(1)
    expect(called).toEqual([expect.objectContaining({ code: 'call.timeout' })])
    expect((await sessions.read('/w', 's1', 10))?.some(({ kind }) => kind === 'called')).toBe(false)
  })

  it('that fails leaves the place to the next one', async () => {
    let runs = 0
    const { agent } = agentOf(async () => {
      runs += 1
      if (runs === 1) throw new Error('the provider is gone')
      return DONE
    })
    await expect(agent.ask('first', caller())).rejects.toThrow('the provider is gone')
    expect(await agent.ask('second', caller())).toMatchObject(DONE)
  })

  it('that ends badly says so in its session, in words of ours', async () => {
    const { agent, sessions } = agentOf(async () => {
      throw refusal('model.failed', 'x', 'status 500')
    })
    await expect(agent.ask('first', caller())).rejects.toMatchObject({ code: 'model.failed' })
    expect(await sessions.read('/w', 's1', 10)).toMatchObject([{ kind: 'asked' }, { kind: 'answered', text: '(stopped: the language model gave no usable answer)' }])
  })

  it('is ended by the end of the server, which waits for what it does', async () => {
    const done: string[] = []
    const { agent } = agentOf(async ({ signal }) => {
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
      done.push('ended')
      return DONE
    })
    const asked = agent.ask('first', caller())
    const rejected = expect(asked).rejects.toMatchObject({ code: 'call.cancelled' })
    await new Promise((resolve) => setImmediate(resolve))
    await agent.close()
    expect(done).toEqual(['ended'])
    await rejected
  })

  it('does not begin for a caller that is gone', async () => {
    const { agent, sessions } = agentOf(async () => DONE)
    await expect(agent.ask('x', caller(AbortSignal.abort(refusal('call.cancelled'))))).rejects.toMatchObject({ code: 'call.cancelled' })
    expect(await sessions.list('/w', 10)).toEqual([])
  })
})
