import { expect } from 'vitest'
import { outsideProbe, probeResource } from '../probes.ts'
import type { Area } from '../proves.ts'

const HIDDEN = `pass\u200bword\u001b[31m\u202e\u0000${String.fromCodePoint(0xe0068, 0xe0069)}!`
const SEEN = /password!/

export const sanitise: Area = (proves) => {
  proves('sanitise.hidden', 'what a person would not see is gone from fields, blocks and resources', async ({ open }) => {
    const blocks = [{ type: 'text', text: HIDDEN }, { type: 'resource', resource: { uri: 'x://y', text: HIDDEN } }] as const
    const { call, dispatch } = open({
      files: { 'a.txt': HIDDEN },
      options: { tools: [outsideProbe(HIDDEN, blocks)], resources: [probeResource({ outside: 'text', says: HIDDEN })] },
    })
    const answers = [await call('probe'), await call('read_file', { path: 'a.txt' }), await dispatch({ kind: 'resource', uri: 'probe://one' })]
    for (const answer of answers) expect(JSON.stringify(answer)).toMatch(SEEN)
    expect(JSON.stringify(answers).match(/password/g)).toHaveLength(5)
    expect(JSON.stringify(answers)).not.toMatch(/[\u200b\u202e\u{e0000}-\u{e007f}]|\\u001b|\\u0000/u)
  })
}
