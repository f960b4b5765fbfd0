import { expect } from 'vitest'
import { outsideProbe, probe, probePrompt, probeResource } from '../probes.ts'
import type { Area } from '../proves.ts'

const LIMIT = 4_096
/** Room for the marker, the fence, the notice and the names of fields. */
const AROUND = 1_024
const HUGE = 'é'.repeat(5_000_000)

export const bound: Area = (proves) => {
  proves('bound.cut-marked', 'ten megabytes of text become the limit and a marker, in every kind of answer', async ({ open }) => {
    const { call, dispatch } = open({
      settings: { outputMaxBytes: LIMIT },
      files: { 'a.txt': HUGE },
      options: {
        tools: [probe({ run: () => ({ text: HUGE }) }), { ...outsideProbe('', [{ type: 'text', text: HUGE }]), name: 'blocks' }],
        resources: [probeResource({ says: HUGE })],
        prompts: [probePrompt({ says: HUGE })],
      },
    })
    const outcomes = [
      await call('probe'), await call('blocks'), await call('read_file', { path: 'a.txt' }),
      await dispatch({ kind: 'resource', uri: 'probe://one' }), await dispatch({ kind: 'prompt', name: 'probe', args: {} }),
    ]
    for (const outcome of outcomes) {
      expect(outcome.is).toBe('ok')
      expect(Buffer.byteLength(JSON.stringify(outcome))).toBeLessThan(LIMIT + AROUND)
      expect(JSON.stringify(outcome)).toMatch(/\[cut: \d+ of \d+ bytes shown\]/)
      expect(JSON.stringify(outcome)).not.toContain('\ufffd')
    }
  })
}
