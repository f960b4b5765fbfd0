import { expect } from 'vitest'
import { createApp } from '../../../src/app/create-app.ts'
import { ConfigError, loadSettings } from '../../../src/config/index.ts'
import { access as names } from '../../../src/kernel/access.ts'
import type { Access, Action, ResourceKind } from '../../../src/kernel/access.ts'
import type { Grant } from '../../../src/policy/grants.ts'
import { codeOf, probe, probePrompt, probeResource, said } from '../probes.ts'
import type { Area } from '../proves.ts'
import type { World } from '../world.ts'

interface Policy {
  readonly subject?: string
  readonly grants?: readonly Grant[]
}

/** Says whether a tool that names these things runs for a subject, under grants or the default ones. */
async function runs({ open }: World, touched: readonly Access[], { subject = 'ann', grants }: Policy = {}): Promise<boolean> {
  const ran: string[] = []
  const { call } = open({
    as: { subject, scopes: ['tools:read'] },
    settings: grants ? { authzPolicy: JSON.stringify({ grants }) } : {},
    options: { tools: [probe({ touches: () => touched, run: () => void ran.push('probe') })] },
  })
  const code = codeOf(await call('probe'))
  if (code !== 'ok' && code !== 'access.denied') throw new Error(`unexpected ${code}`)
  return ran.length > 0
}

const one = (action: Action, kind: ResourceKind, id: string): readonly Access[] => [names(action, kind, id)]

export const access: Area = (proves) => {
  proves('access.default-deny', 'what is not granted is denied, in every kind of component, without its name', async ({ open }) => {
    const touches = () => one('execute', 'sandbox', 'ZXQV')
    const { call, dispatch } = open({
      as: { subject: 'ann', scopes: ['tools:read'] },
      options: { tools: [probe({ touches })], resources: [probeResource({ touches })], prompts: [probePrompt({ touches })] },
    })
    const answers = [await call('probe'), await dispatch({ kind: 'resource', uri: 'probe://one' }), await dispatch({ kind: 'prompt', name: 'probe', args: {} })]
    expect(answers.map(codeOf)).toEqual(['access.denied', 'access.denied', 'access.denied'])
    expect(answers.map(said).join()).not.toContain('ZXQV')
  })

  proves('access.every-name', 'one denied thing among many refuses the call, wherever it stands', async (world) => {
    const [fine, bad] = [names('read', 'file', 'a'), names('notify', 'url', 'https://b.example')]
    expect(await runs(world, [fine, fine])).toBe(true)
    for (const touched of [[bad, fine], [fine, bad], [fine, bad, fine]]) expect(await runs(world, touched)).toBe(false)
  })

  proves('access.own-namespace', 'ann writes below ann/ and nowhere else; a climbing subject writes nowhere', async (world) => {
    expect(await runs(world, one('write', 'document', 'ann/note.md'))).toBe(true)
    for (const id of ['bob/note.md', 'annex/note.md', 'note.md', 'ann', '']) expect(await runs(world, one('write', 'document', id))).toBe(false)
    for (const subject of ['ann/bob', '..', '../bob', '.']) expect(await runs(world, one('write', 'document', `${subject}/x.md`), { subject })).toBe(false)
  })

  proves('access.spelled-kinds', 'a grant of every kind does not cover the kinds that must be spelled', async (world) => {
    const grants: readonly Grant[] = [{ subject: '*', actions: ['read', 'search', 'query'], prefix: '' }]
    expect(await runs(world, one('read', 'document', 'a'), { grants })).toBe(true)
    for (const kind of ['repo_file', 'repo_prefix', 'memory'] as const) expect(await runs(world, one('read', kind, 'a'), { grants })).toBe(false)
    expect(await runs(world, one('query', 'tableless', ''), { grants })).toBe(false)
    expect(await runs(world, one('read', 'memory', 'a'), { grants: [{ subject: '*', actions: ['read'], kinds: ['memory'], prefix: '' }] })).toBe(true)
  })

  proves('access.boundary', 'a grant for hr does not cover hr-old', async (world) => {
    const grants: readonly Grant[] = [{ subject: 'ann', actions: ['read', 'query', 'fetch'], prefix: 'hr' }]
    for (const id of ['hr', 'hr/pay.md']) expect(await runs(world, one('read', 'document', id), { grants })).toBe(true)
    for (const id of ['hr-old', 'hrx/pay.md', 'h', 'hr.old']) expect(await runs(world, one('read', 'document', id), { grants })).toBe(false)
    expect(await runs(world, one('query', 'table', 'hr.pay'), { grants })).toBe(true)
    expect(await runs(world, one('query', 'table', 'hr_old.pay'), { grants })).toBe(false)
  })

  proves('access.fails-closed', 'an authorizer that cannot say yes says no', async ({ open }) => {
    const ran: string[] = []
    const tools = [probe({ touches: () => one('read', 'file', 'a'), run: () => void ran.push('probe') })]
    const answers: readonly (() => unknown)[] = [
      () => { throw new Error('down') }, () => Promise.reject(new Error('down')), () => undefined, () => 'yes', () => 1, async () => ({}), async () => 'true',
    ]
    for (const allows of answers) await open({ options: { tools, replace: { authorizer: { allows: allows as () => boolean } } } }).call('probe')
    expect(ran).toEqual([])
  })

  proves('access.bad-policy', 'no app starts over a policy that cannot be applied', () => {
    for (const authzPolicy of ['{"grants":[{}]}', '{"grants":{}}', '{"grants":[{"subject":"*","actions":["fly"],"prefix":""}]}', '{"grants":[{"subject":"*","actions":["read"],"prefix":"${team}/"}]}']) {
      const settings = loadSettings({ file: JSON.stringify({ authzPolicy }) }).values
      expect(() => createApp(settings, { replace: { trail: null } })).toThrow(ConfigError)
    }
  })
}
