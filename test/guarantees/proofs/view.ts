import { expect } from 'vitest'
import type { Request } from '../../../src/kernel/call.ts'
import { codeOf, codesOf, probe, probePrompt, probeResource, said, valueOf } from '../probes.ts'
import type { Area } from '../proves.ts'
import type { TestWorld } from '../../../src/testing/index.ts'

const NARROW: TestWorld = {
  as: { subject: 'ann', scopes: ['tools:read'] },
  settings: { disabledTools: ['calculate'], disabledResources: ['arrowhead://integrity'], unknownPerMinute: 100 },
  options: {
    tools: [probe({ scope: 'admin:read' })],
    resources: [probeResource({ scope: 'admin:read' })],
    prompts: [probePrompt({ scope: 'admin:read' })],
  },
}

const tool = (name: string, args: unknown = {}): Request => ({ kind: 'tool', name, args })
const completion = (of: 'prompt' | 'resource', name: string): Request => ({ kind: 'completion', of, name, argument: 'a', typed: '' })

const UNSEEN: readonly Request[] = [
  tool('no_such'), tool('probe'), tool('calculate'),
  { kind: 'resource', uri: 'no://such' }, { kind: 'resource', uri: 'probe://one' }, { kind: 'resource', uri: 'arrowhead://integrity' },
  { kind: 'prompt', name: 'no_such', args: {} }, { kind: 'prompt', name: 'probe', args: {} },
]

const UNSEEN_COMPLETIONS: readonly Request[] = [
  completion('prompt', 'no_such'), completion('prompt', 'probe'), completion('resource', 'probe://one'), completion('resource', 'arrowhead://integrity'),
]

export const view: Area = (proves) => {
  proves('view.one-answer', 'unknown, hidden and disabled names of every kind are refused in the same words', async ({ open }) => {
    const { dispatch } = open(NARROW)
    const answers = new Set<string>()
    for (const request of UNSEEN) answers.add(said(await dispatch(request)))
    expect([...answers]).toEqual([expect.stringMatching(/^component\.unknown: /)])
    for (const request of UNSEEN_COMPLETIONS) expect(valueOf(await dispatch(request))).toEqual({ values: [], more: false })
  })

  proves('view.one-rate', 'tries at hidden names use up the same rate as tries at unknown ones, and no other rate', async ({ open }) => {
    const all = [...UNSEEN, ...UNSEEN_COMPLETIONS]
    const { dispatch, call, rows } = open({ ...NARROW, settings: { ...NARROW.settings, unknownPerMinute: all.length } })
    for (const request of [...all, ...all]) await dispatch(request)
    expect(rows.map(({ code }) => code)).toEqual([...all.map(() => 'component.unknown'), ...all.map(() => 'quota.spent')])
    expect(await codesOf(UNSEEN.map((request) => () => dispatch(request)))).toEqual(UNSEEN.map(() => 'quota.spent'))
    expect(codeOf(await call('read_file', { path: 'none' }))).toBe('file.unavailable')
  })

  proves('view.same-order', 'neither wrong arguments nor a full server tell a hidden name from an unknown one', async ({ open }) => {
    const busy = probe({ name: 'busy', run: () => new Promise(() => {}) })
    const { call } = open({ ...NARROW, settings: { ...NARROW.settings, maxConcurrentCalls: 1, maxConcurrentCallsPerCaller: 1 }, options: { tools: [probe({ scope: 'admin:read' }), busy] } })
    void call('busy')
    if (codeOf(await call('read_file', { path: 'x' })) !== 'concurrency.full') throw new Error('the server is not full')
    expect(await codesOf([() => call('no_such', { wrong: 1 }), () => call('probe', { wrong: 1 })])).toEqual(['component.unknown', 'component.unknown'])
  })

  proves('view.audit-knows', 'three names with one answer have three reasons on record', async ({ open }) => {
    const { call, rows } = open(NARROW)
    const answers = [said(await call('no_such')), said(await call('probe')), said(await call('calculate'))]
    expect(new Set(answers).size).toBe(1)
    expect(rows.map(({ component, reason }) => [component, reason])).toEqual([['unknown', 'unknown'], ['probe', 'scope'], ['calculate', 'disabled']])
  })

  proves('view.listing', 'the four listings hold no hidden and no disabled name', async ({ open }) => {
    const { dispatch } = open(NARROW)
    const listings = await Promise.all((['tools', 'resources', 'templates', 'prompts'] as const).map((of) => dispatch({ kind: 'listing', of })))
    const names = listings.flatMap((outcome) => (outcome.is === 'ok' ? (outcome.answer.value['items'] as { name: string }[]) : [])).map(({ name }) => name)
    expect(names).toEqual(['read_file', 'safe_fetch'])
  })

  proves('view.inherited-names', 'inherited names and case twins are unknown', async ({ open }) => {
    const { call, dispatch } = open()
    for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty', '', 'CALCULATE', 'calculate ']) {
      expect(codeOf(await call(name))).toBe('component.unknown')
      expect(codeOf(await dispatch({ kind: 'resource', uri: name }))).toBe('component.unknown')
      expect(codeOf(await dispatch({ kind: 'prompt', name, args: {} }))).toBe('component.unknown')
    }
  })
}
