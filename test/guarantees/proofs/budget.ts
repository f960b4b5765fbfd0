import { expect } from 'vitest'
import { codesOf, probe } from '../probes.ts'
import type { Area } from '../proves.ts'

export const budget: Area = (proves) => {
  proves('budget.per-day', 'the budget counts calls of every component together, for each caller', async ({ open }) => {
    const { app, call } = open({ settings: { budgetCallsPerDay: 2 }, options: { tools: [probe(), probe({ name: 'other' })] } })
    const ann = app.callerOf('ann', ['tools:read'])
    const calls = [() => call('probe'), () => call('other'), () => call('probe'), () => call('other'), () => call('probe', {}, ann)]
    expect(await codesOf(calls)).toEqual(['ok', 'ok', 'budget.spent', 'budget.spent', 'ok'])
  })
}
