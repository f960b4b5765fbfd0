import { defineResource } from '../../kernel/resource.ts'

export const integrity = defineResource({
  uri: 'arrowhead://integrity',
  name: 'integrity',
  title: 'Tool surface digest',
  summary: 'A SHA-256 over the definition of every enabled tool. Record it at consent; a later difference means a tool changed.',
  scope: 'tools:read',
  mimeType: 'application/json',
  uses: ['surface'],

  touches: () => [],

  read(_params, { surface }) {
    const { digest, toolCount, profile } = surface.describe()
    return { text: JSON.stringify({ algorithm: 'sha256', digest, tool_count: toolCount, profile }), mimeType: 'application/json' }
  },
})
