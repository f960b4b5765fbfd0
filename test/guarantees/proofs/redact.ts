import { expect } from 'vitest'
import { defineJsonTool } from '../../../src/kernel/tool.ts'
import { outsideProbe, probe, probePrompt, probeResource } from '../probes.ts'
import type { Area } from '../proves.ts'

const SECRET = ['not', 'a', 'real/key+of "ours"'].join('-')
const settings = { llmApiKey: SECRET }
const bytes = Buffer.from(SECRET)
const SPELLINGS = [SECRET, encodeURIComponent(SECRET), JSON.stringify(SECRET).slice(1, -1), bytes.toString('base64'), bytes.toString('base64url'), bytes.toString('hex')]

export const redact: Area = (proves) => {
  proves('redact.own-secrets', 'a key of the server does not leave in any common spelling', async ({ open }) => {
    for (const spelling of SPELLINGS) {
      const { call } = open({ settings, files: { 'a.txt': `key: ${spelling}.` }, options: { tools: [probe({ run: () => ({ text: spelling }) })] } })
      for (const outcome of [await call('probe'), await call('read_file', { path: 'a.txt' })]) {
        expect(JSON.stringify(outcome)).toContain('[redacted]')
        expect(JSON.stringify(outcome)).not.toContain(JSON.stringify(spelling).slice(1, -1))
      }
    }
  })

  proves('redact.declared-scan', 'somebody’s access key does not leave a tool that declares the scan', async ({ open }) => {
    const key = ['AK', 'IA', 'Q3EGRZ7LKV2XWTPM'].join('')
    const { call } = open({ options: { tools: [{ ...probe({ run: () => ({ text: `key ${key} end` }) }), scansSecrets: true }] } })
    const outcome = JSON.stringify(await call('probe'))
    expect(outcome).toContain('[REDACTED:')
    expect(outcome).not.toContain(key)
  })

  proves('redact.every-kind', 'a key of the server leaves by no kind of answer, and not as a field name', async ({ open }) => {
    const tree = defineJsonTool({
      name: 'tree', title: 'Tree', summary: 'A probe.', scope: 'tools:read', level: 'SAFE', effect: 'read', idempotent: true, openWorld: false, perMinute: 60, uses: [],
      input: { type: 'object' }, origin: 'server', examples: [], touches: () => [], run: () => ({ deep: [{ [SECRET]: 1 }] }),
    })
    const complete = { about: () => [SECRET] }
    const { call, dispatch } = open({
      settings,
      options: { tools: [tree, outsideProbe('', [{ type: 'text', text: SECRET }])], resources: [probeResource({ says: SECRET })], prompts: [probePrompt({ says: SECRET, complete })] },
    })
    const outcomes = [
      await call('tree'), await call('probe'), await dispatch({ kind: 'resource', uri: 'probe://one' }), await dispatch({ kind: 'prompt', name: 'probe', args: {} }),
      await dispatch({ kind: 'completion', of: 'prompt', name: 'probe', argument: 'about', typed: '' }),
    ]
    for (const outcome of outcomes) {
      expect(JSON.stringify(outcome)).toContain('[redacted]')
      expect(JSON.stringify(outcome)).not.toContain('real/key')
    }
  })
}
