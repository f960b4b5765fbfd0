import { expect } from 'vitest'
import type { Replies } from '../../../src/kernel/question.ts'
import { codeOf, probe } from '../probes.ts'
import type { Area } from '../proves.ts'

const YES = { action: 'accept', content: { approve: true } }
const NO: readonly unknown[] = [
  null, undefined, true, 'yes', {}, { action: 'accept' }, { action: 'accept', content: null }, { action: 'accept', content: {} }, { content: { approve: true } },
  ...['true', 1, 'yes', null, {}, [true]].map((approve) => ({ action: 'accept', content: { approve } })),
  ...['decline', 'cancel', 'ACCEPT', ''].map((action) => ({ action, content: { approve: true } })),
]

export const consent: Area = (proves) => {
  proves('consent.headless', 'nobody to ask is a no, whether the tool, the operator or the call wants a person', async ({ open }) => {
    const ran: string[] = []
    const run = () => void ran.push('ran')
    const tools = [probe({ level: 'CONFIRM', run }), probe({ name: 'raised', run }), probe({ name: 'rising', rise: () => 'CONFIRM', run })]
    const { call } = open({ settings: { levelOverrides: ['raised=CONFIRM'] }, options: { tools } })
    for (const name of ['probe', 'raised', 'rising']) expect(codeOf(await call(name))).toBe('consent.unavailable')
    expect(ran).toEqual([])
  })

  proves('consent.explicit-yes', 'the tool runs after a yes and after nothing else', async ({ open }) => {
    const ran: unknown[] = []
    const { dispatch } = open({ settings: { rateLimitEnabled: false }, options: { tools: [probe({ level: 'CONFIRM', run: () => void ran.push('ran') })] } })
    const answered = (answer: () => Promise<Replies>) =>
      dispatch({ kind: 'tool', name: 'probe', args: {} }, undefined, { door: 'stdio', capabilities: { elicitation: {} }, ask: answer })
    for (const reply of NO) await answered(async () => ({ arrowhead_consent: reply }))
    await answered(async () => ({}))
    await answered(async () => ({ consent: YES }))
    await answered(async () => Promise.reject(new Error('the client is gone')))
    expect(ran).toEqual([])
    expect(codeOf(await answered(async () => ({ arrowhead_consent: YES })))).toBe('ok')
    expect(ran).toEqual(['ran'])
  })
}
