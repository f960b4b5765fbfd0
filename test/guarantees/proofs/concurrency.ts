import { expect } from 'vitest'
import { codeOf, probe } from '../probes.ts'
import type { Area } from '../proves.ts'
import type { OpenWorld, World } from '../world.ts'

/** A world with a tool that runs until it is let go. */
function waiting({ open }: World, settings: object): OpenWorld & { letGo(how?: Error): void } {
  const held: ((how?: Error) => void)[] = []
  const wait = probe({ name: 'wait', run: () => new Promise<void>((done, fail) => held.push((how) => (how ? fail(how) : done()))) })
  return { ...open({ settings, options: { tools: [wait, probe()] } }), letGo: (how) => held.pop()?.(how) }
}

export const concurrency: Area = (proves) => {
  proves('concurrency.per-caller', 'a caller with all its places taken is refused until one comes back', async (world) => {
    const { app, call, letGo } = waiting(world, { maxConcurrentCallsPerCaller: 2 })
    const ann = app.callerOf('ann', ['tools:read'])
    const running = [call('wait'), call('wait')]
    expect(codeOf(await call('probe'))).toBe('concurrency.full')
    expect(codeOf(await call('probe', {}, ann))).toBe('ok')
    letGo()
    letGo(new Error('failed'))
    expect((await Promise.all(running)).map(codeOf)).toEqual(['fault', 'ok'])
    for (const args of [{}, { wrong: 1 }, { wrong: 1 }, {}]) expect(codeOf(await call('probe', args))).not.toBe('concurrency.full')
  })

  proves('concurrency.whole-server', 'callers together take no more places than there are', async (world) => {
    const { app, call, letGo } = waiting(world, { maxConcurrentCalls: 2, maxConcurrentCallsPerCaller: 2 })
    const callers = ['ann', 'bob', 'cat'].map((name) => app.callerOf(name, ['tools:read']))
    const running = callers.slice(0, 2).map((caller) => call('wait', {}, caller))
    expect(codeOf(await call('probe', {}, callers[2]))).toBe('concurrency.full')
    letGo()
    letGo()
    await Promise.all(running)
    expect(codeOf(await call('probe', {}, callers[2]))).toBe('ok')
  })
}
