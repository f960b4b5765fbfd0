import { expect } from 'vitest'
import { codeOf, probe } from '../probes.ts'
import type { Area } from '../proves.ts'

export const level: Area = (proves) => {
  proves('level.denied', 'a tool that the operator denied does not run', async ({ open }) => {
    const { call } = open({ settings: { levelOverrides: ['probe=DENIED'] }, options: { tools: [probe()] } })
    expect(codeOf(await call('probe'))).toBe('level.denied')
  })

  proves('level.restricted', 'a restricted tool needs its own name on the list', async ({ open }) => {
    const tools = [probe({ level: 'RESTRICTED' }), probe({ name: 'other', level: 'RESTRICTED' })]
    const { dispatch } = open({ settings: { allowRestricted: ['other'] }, options: { tools } })
    // Whoever is there agrees to everything, so that the level alone decides.
    const call = (name: string) => dispatch({ kind: 'tool', name, args: {} }, undefined, {
      door: 'stdio', capabilities: { elicitation: {} }, ask: async () => ({ arrowhead_consent: { action: 'accept', content: { approve: true } } }),
    })
    expect([codeOf(await call('probe')), codeOf(await call('other'))]).toEqual(['level.restricted', 'ok'])
  })

  proves('level.rise', 'a call rises above its tool, and a low rise lowers nothing', async ({ open }) => {
    const rising = probe({ rise: ({ text }) => (text === 'big' ? 'DENIED' : 'SAFE') })
    const low = probe({ name: 'low', level: 'RESTRICTED', rise: () => 'SAFE' })
    const { call } = open({ options: { tools: [rising, low] } })
    expect(codeOf(await call('probe', { text: 'small' }))).toBe('ok')
    expect(codeOf(await call('probe', { text: 'big' }))).toBe('level.denied')
    expect(codeOf(await call('low'))).toBe('level.restricted')
  })
}
