import { expect } from 'vitest'
import { outsideProbe, probe, probePrompt, probeResource } from '../probes.ts'
import type { Area } from '../proves.ts'

const fails = (): never => {
  throw new TypeError('ZXQV of the database')
}

export const contain: Area = (proves) => {
  proves('contain.masked', 'callers of every kind of component get an incident and nothing of the exception', async ({ open }) => {
    const { call, dispatch, rows } = open({
      options: {
        tools: [probe({ run: fails }), probe({ name: 'touches', touches: fails }), probe({ name: 'odd', run: () => Promise.reject('ZXQV') }), { ...outsideProbe(''), name: 'schema', input: { names: new Set(), json: {}, parse: fails } }],
        resources: [probeResource({ read: fails })],
        prompts: [probePrompt({ touches: fails })],
      },
    })
    const calls = [
      () => call('probe'), () => call('touches'), () => call('odd'), () => call('schema'),
      () => dispatch({ kind: 'resource', uri: 'probe://one' }), () => dispatch({ kind: 'prompt', name: 'probe', args: {} }),
    ]
    for (const make of calls) await expect(make()).resolves.toEqual({ is: 'fault', incident: expect.stringMatching(/^[\w-]{16}$/) })
    expect(JSON.stringify(rows)).not.toContain('ZXQV')
  })

  proves('contain.fault-line', 'the log line of a fault has its class and frames under the incident of the caller', async ({ open }) => {
    const { call, lines } = open({ options: { tools: [probe({ run: fails })] } })
    const outcome = await call('probe').catch(() => undefined)
    const [line, ...more] = lines.filter(({ event }) => event === 'fault')
    expect(line).toEqual({
      ts: expect.any(String), event: 'fault', class: 'TypeError', stack: expect.any(Array),
      incident: outcome?.is === 'fault' ? outcome.incident : 'none',
    })
    expect(more).toEqual([])
    const frames = line?.['stack'] as readonly string[]
    expect(frames.length).toBeGreaterThan(0)
    expect(frames.every((frame) => frame.startsWith('at '))).toBe(true)
    expect(JSON.stringify(lines)).not.toContain('ZXQV')
  })
}
