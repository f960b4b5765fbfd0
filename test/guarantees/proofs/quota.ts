import { expect } from 'vitest'
import { codeOf, codesOf, probe } from '../probes.ts'
import type { Area } from '../proves.ts'

export const quota: Area = (proves) => {
  proves('quota.per-caller', 'the call above the rate is refused, and only that caller and tool', async ({ open }) => {
    const { app, call, clock } = open({ options: { tools: [probe({ perMinute: 2 }), probe({ name: 'other' })] } })
    const once = () => call('probe')
    expect(await codesOf([once, once, once])).toEqual(['ok', 'ok', 'quota.spent'])
    const ann = app.callerOf('ann', ['tools:read'])
    expect(await codesOf([() => call('other'), () => call('probe', {}, ann)])).toEqual(['ok', 'ok'])
    clock.pass(60_000)
    expect(codeOf(await once())).toBe('ok')
  })

  proves('quota.per-subject', 'a second token of the same subject brings no second rate', async ({ open }) => {
    const { app, call } = open({ options: { tools: [probe({ perMinute: 1 })] } })
    const tokens = [app.callerOf('ann', ['tools:read']), app.callerOf('ann', ['tools:read', 'docs:read'])]
    expect(await codesOf(tokens.map((token) => () => call('probe', {}, token)))).toEqual(['ok', 'quota.spent'])
  })

  proves('quota.fails-closed', 'a store that is out of reach lets nothing run', async ({ open }) => {
    const ran: string[] = []
    const tools = [probe({ run: () => void ran.push('probe') })]
    const stores = [async () => Promise.reject(new Error('no connection')), () => false, async () => false]
    for (const take of stores) await open({ options: { tools, replace: { rates: { take } } } }).call('probe')
    expect(ran).toEqual([])
  })
}
