import * as z from 'zod'
import { read } from '../../kernel/access.ts'
import { ours, outsideLine, untrusted } from '../../kernel/leaf.ts'
import { refusal } from '../../kernel/refusal.ts'
import { defineTool } from '../../kernel/tool.ts'
import { timeOf } from './time-of.ts'

const [MAX_ENTRIES, DEFAULT_ENTRIES] = [500, 100]

export const readSession = defineTool({
  name: 'read_session',
  title: 'Read a session of the workspace',
  summary: 'Returns what was asked and answered in one session, and the names of the tools that were called; no arguments and no results. list_sessions has the ids.',
  scope: 'workspace:sessions',
  level: 'SAFE',
  effect: 'read',
  idempotent: true,
  openWorld: false,
  perMinute: 120,
  uses: ['history'],
  scansSecrets: true,

  input: z.strictObject({
    session_id: z.string().max(128).regex(/^(?!\.{1,2}$)[A-Za-z0-9._-]+$/),
    limit: z.int().default(DEFAULT_ENTRIES),
  }),
  output: z.object({
    session_id: ours(z.string()),
    entries: z.array(z.object({ kind: z.enum(['asked', 'answered', 'called']), at: ours(z.string()), text: untrusted(z.string()).optional(), tool: outsideLine(z.string()).optional() })),
  }),
  examples: [{ title: 'The end of a session', input: { session_id: 'Zk3v-xQ0wT1mYb2c', limit: 10 } }],

  touches: ({ session_id }) => [read('app:session', session_id)],

  async run({ session_id, limit }, { history }) {
    const entries = await history.read(session_id, Math.min(MAX_ENTRIES, Math.max(1, limit)))
    if (!entries) throw refusal('session.missing', 'list_sessions has the ids')
    return {
      session_id,
      entries: entries.map((entry) => ({ kind: entry.kind, at: timeOf(entry.at), ...(entry.kind === 'called' ? { tool: entry.tool } : { text: entry.text }) })),
    }
  },
})
