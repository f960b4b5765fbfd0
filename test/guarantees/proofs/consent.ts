import { expect } from 'vitest'
import { codeOf, probe } from '../probes.ts'
import type { Area } from '../proves.ts'

export const consent: Area = (proves) => {
  proves('consent.headless', 'nobody to ask is a no, whether the tool, the operator or the call wants a person', async ({ open }) => {
    const ran: string[] = []
    const run = () => void ran.push('ran')
    const tools = [probe({ level: 'CONFIRM', run }), probe({ name: 'raised', run }), probe({ name: 'rising', rise: () => 'CONFIRM', run })]
    const { call } = open({ settings: { levelOverrides: ['raised=CONFIRM'] }, options: { tools } })
    for (const name of ['probe', 'raised', 'rising']) expect(codeOf(await call(name))).toBe('consent.unavailable')
    expect(ran).toEqual([])
  })
}
