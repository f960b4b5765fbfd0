import * as z from 'zod'
import { access } from '../../kernel/access.ts'
import { ours, untrusted } from '../../kernel/leaf.ts'
import { defineTool } from '../../kernel/tool.ts'

const MAX_PROMPT_CHARS = 20_000

export const askArrowhead = defineTool({
  name: 'ask_arrowhead',
  title: 'Ask the assistant about the workspace',
  summary: 'Puts one prompt to an assistant that is confined to this workspace, and returns its answer. One run at a time. search_code is faster for an address.',
  scope: 'workspace:ask',
  level: 'SAFE',
  effect: 'execute',
  idempotent: false,
  openWorld: true,
  perMinute: 10,
  uses: ['agent'],
  scansSecrets: true,

  input: z.strictObject({ prompt: z.string().min(1).max(MAX_PROMPT_CHARS) }),
  output: z.object({ answer: untrusted(z.string()), session_id: ours(z.string()), turns: z.int(), stopped: ours(z.string()) }),
  examples: [{ title: 'A question', input: { prompt: 'Why does the retry loop give up after three attempts?' } }],

  touches: () => [access('app:ask', 'app:agent', '')],

  async run({ prompt }, { agent }, { signal, progress }) {
    const { text, sessionId, turns, stopped = '' } = await agent.ask(prompt, { signal, progress })
    return { answer: text, session_id: sessionId, turns, stopped }
  },
})
