import { expect } from 'vitest'
import { defineJsonTool } from '../../../src/kernel/tool.ts'
import { codeOf, outsideProbe, probeResource } from '../probes.ts'
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

  proves('sanitise.documents', 'markup that acts is gone from Markdown, and JSON of two meanings is refused, by tool and resource', async ({ open }) => {
    const md = '# A\n\n<script>x</script>\n\ntext <b onclick=script>bold</b> ![p](https://evil.test/?q) [l](javascript:x) `<code>`\n\n![r][r]\n\n[r]: https://evil.test/r\n'
    const { call, dispatch } = open({ documents: { 'a.md': md, 'b.json': '{"a":1,"a":2}' } })
    const answers = [await call('doc_read', { path: 'a.md' }), await dispatch({ kind: 'resource', uri: 'doc://a.md' })]
    for (const answer of answers) {
      expect(JSON.stringify(answer)).toContain('`<code>`')
      expect(JSON.stringify(answer)).not.toMatch(/script|evil\.test|!\[/)
    }
    for (const outcome of [await call('doc_read', { path: 'b.json' }), await dispatch({ kind: 'resource', uri: 'doc://b.json' })]) expect(codeOf(outcome)).toBe('content.json')
  })

  proves('sanitise.reserved', 'a member of that name is gone wherever it stood', async ({ open }) => {
    const tool = defineJsonTool({
      name: 'probe', title: 'Probe', summary: 'Gives what it was told.', scope: 'probe:read', level: 'SAFE', effect: 'read', idempotent: true, openWorld: false, perMinute: 100,
      uses: [], input: { type: 'object', properties: {} }, origin: 'outside', examples: [{ title: 'One', input: {} }], touches: () => [],
      run: () => ({ _meta: { 'io.modelcontextprotocol/x': 1 }, deep: [{ _meta: 'y', kept: 'z' }] }),
    })
    const { call } = open({ options: { tools: [tool] } })
    const text = JSON.stringify(await call('probe'))
    expect(text).toContain('kept')
    expect(text).not.toContain('_meta')
  })
}
