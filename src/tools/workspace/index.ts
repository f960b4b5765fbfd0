import type { Family } from '../../kernel/resource.ts'
import { askArrowhead } from './ask-arrowhead.ts'
import { listSessions } from './list-sessions.ts'
import { readSession } from './read-session.ts'
import { searchCode } from './search-code.ts'

/** What a stranger's agent may ask of one folder. The last tool exists only where there is an assistant to ask. */
export const workspace = ({ withAgent }: { readonly withAgent: boolean }): Family => ({
  name: 'workspace',
  tools: [listSessions, readSession, searchCode, ...(withAgent ? [askArrowhead] : [])],
  resources: [],
  prompts: [],
})
