import { expect } from 'vitest'
import type { Replies } from '../../../src/kernel/question.ts'
import { codeOf, probe, valueOf } from '../probes.ts'
import type { Area } from '../proves.ts'
import type { OpenWorld } from '../world.ts'

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

  const CAPABLE = { elicitation: { form: {} } } as const
  const OVERWRITE = { kind: 'tool', name: 'doc_write', args: { path: 'a.txt', content: 'new', overwrite: true } } as const
  const textOf = async ({ call }: OpenWorld) => JSON.stringify(valueOf(await call('doc_read', { path: 'a.txt' })))

  proves('consent.as-seen', 'a document that changed behind the question stays as it then was', async ({ open }) => {
    const world = open({ documents: { 'a.txt': 'old' } })
    const asked = await world.dispatch(OVERWRITE, undefined, { door: 'http', capabilities: CAPABLE, takesQuestions: true })
    await world.call('doc_write', { path: 'a.txt', content: 'by another hand', overwrite: true })
    const reply = { ticket: asked.is === 'ask' ? asked.ticket : '', replies: { arrowhead_consent: YES } }
    expect(codeOf(await world.dispatch(OVERWRITE, undefined, { door: 'http', capabilities: CAPABLE, takesQuestions: true, reply }))).toBe('consent.changed')
    expect(await textOf(world)).toContain('by another hand')
  })

  proves('consent.no-flag', 'overwrite counts where nobody can be asked, not against a no, and nothing counts elsewhere', async ({ open }) => {
    const world = open({ documents: { 'a.txt': 'old' }, options: { tools: [probe({ level: 'CONFIRM' })] } })
    const no = async () => ({ arrowhead_consent: { action: 'decline' } })
    expect(codeOf(await world.dispatch(OVERWRITE, undefined, { door: 'stdio', capabilities: CAPABLE, ask: no }))).toBe('consent.declined')
    expect(await textOf(world)).toContain('old')
    expect(codeOf(await world.dispatch(OVERWRITE))).toBe('ok')
    for (const args of [{ overwrite: true }, { confirm: true }, { approve: true }, { yes: 1 }]) expect(codeOf(await world.call('probe', args))).toBe('input.invalid')
    expect(codeOf(await world.call('probe'))).toBe('consent.unavailable')
  })

  proves('consent.policy', 'a yes from before a change of policy is no yes', async ({ open }) => {
    let revision = '1'
    const ran: string[] = []
    const world = open({ options: { tools: [probe({ level: 'CONFIRM', run: () => void ran.push('ran') })], replace: { authorizer: { allows: () => true, revision: () => revision } } } })
    const request = { kind: 'tool', name: 'probe', args: {} } as const
    const arrival = { door: 'http', capabilities: CAPABLE, takesQuestions: true } as const
    const ticket = async () => {
      const asked = await world.dispatch(request, undefined, arrival)
      return asked.is === 'ask' ? asked.ticket : ''
    }
    const answer = async (given: string) => codeOf(await world.dispatch(request, undefined, { ...arrival, reply: { ticket: given, replies: { arrowhead_consent: YES } } }))
    const before = await ticket()
    revision = '2'
    expect(await answer(before)).toBe('consent.ticket')
    expect(ran).toEqual([])
    expect(await answer(await ticket())).toBe('ok')
  })
}
