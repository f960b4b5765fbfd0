import * as z from 'zod'
import { access } from '../../kernel/access.ts'
import { ours, outsideLine } from '../../kernel/leaf.ts'
import { defineTool } from '../../kernel/tool.ts'
import { timeOf } from './time-of.ts'

const [MAX_SESSIONS, DEFAULT_SESSIONS] = [100, 20]

export const listSessions = defineTool({
  name: 'list_sessions',
  title: 'List sessions of the workspace',
  summary: 'Returns the sessions held over this workspace, newest first: id, time and title. read_session shows one.',
  scope: 'workspace:sessions',
  level: 'SAFE',
  effect: 'read',
  idempotent: true,
  openWorld: false,
  perMinute: 120,
  uses: ['history'],
  scansSecrets: true,

  input: z.strictObject({ limit: z.int().default(DEFAULT_SESSIONS) }),
  output: z.object({ sessions: z.array(z.object({ id: ours(z.string()), started_at: ours(z.string()), title: outsideLine(z.string()) })) }),
  examples: [{ title: 'The last ones', input: { limit: 5 } }],

  touches: () => [access('search', 'app:session', '')],

  async run({ limit }, { history }) {
    const heads = await history.list(Math.min(MAX_SESSIONS, Math.max(1, limit)))
    return { sessions: heads.map(({ id, startedAt, title }) => ({ id, started_at: timeOf(startedAt), title })) }
  },
})
