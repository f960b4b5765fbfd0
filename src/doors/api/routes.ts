/** Every path of the API in one table. The OpenAPI document is made from it, so that neither knows more than the other. */

import type { JsonSchema } from '../../kernel/schema.ts'
import { ANSWERED, CALLED, CHAT, CONFIRM, EXECUTE, HEALTH, LOGS, TOOLS } from './schemas.ts'

export type Work = 'health' | 'document' | 'chat' | 'tools' | 'execute' | 'confirm' | 'logs' | 'tool'

export interface Route {
  readonly method: 'GET' | 'POST'
  /** `{name}` stands for one segment. */
  readonly path: string
  readonly work: Work
  readonly says: string
  readonly body?: JsonSchema
  readonly answer: JsonSchema
  /** Query parameters, each a whole number of at most this. */
  readonly query?: Readonly<Record<string, number>>
  /** The tool that the body holds the arguments of; the route is there while the tool is. */
  readonly tool?: string
}

export const MAX_LOGS = 1_000

const tool = (path: string, name: string, says: string): Route => ({ method: 'POST', path, work: 'tool', tool: name, says, answer: CALLED })

export const ROUTES: readonly Route[] = [
  { method: 'GET', path: '/health', work: 'health', says: 'Whether the API is up; needs no token.', answer: HEALTH },
  { method: 'GET', path: '/openapi.json', work: 'document', says: 'This document.', answer: { type: 'object' } },
  { method: 'POST', path: '/chat', work: 'chat', says: 'Has the assistant work on a message. With stream, what happens is told as server-sent events: step, result, text, and end with the whole answer.', body: CHAT, answer: ANSWERED },
  { method: 'GET', path: '/tools', work: 'tools', says: 'What may be called.', answer: TOOLS },
  { method: 'POST', path: '/tools/{name}/execute', work: 'execute', says: 'Calls one tool. A call that needs a person answers confirmation_required with a ticket; the same call with confirm and that ticket runs.', body: EXECUTE, answer: CALLED },
  { method: 'POST', path: '/confirm', work: 'confirm', says: 'Runs exactly the call that a ticket was given for, once, or with approve false declines it. No model is asked.', body: CONFIRM, answer: CALLED },
  { method: 'GET', path: '/logs', work: 'logs', says: 'The newest rows of the audit, oldest first.', query: { limit: MAX_LOGS }, answer: LOGS },
  tool('/memory', 'memory_store', 'Remembers something.'),
  tool('/memory/list', 'memory_list', 'Lists what is remembered.'),
  tool('/memory/search', 'memory_search', 'Searches what is remembered.'),
  tool('/memory/delete', 'memory_delete', 'Forgets something.'),
  tool('/documents', 'doc_write', 'Writes a document.'),
  tool('/documents/read', 'doc_read', 'Reads a document.'),
  tool('/documents/search', 'doc_search', 'Searches documents for words.'),
  tool('/documents/retrieve', 'doc_retrieve', 'Fetches one public document by its URL.'),
  tool('/documents/index', 'doc_index', 'Indexes documents for retrieval by meaning.'),
]

export interface Match {
  readonly route: Route
  /** The segment that stands for `{name}`, not decoded: names of tools need none. */
  readonly name: string
}

/** The routes at a path, whatever their method. */
export function routesAt(path: string): readonly Match[] {
  const [, segment = ''] = /^\/tools\/([a-z][a-z0-9_]{0,63})\/execute$/.exec(path) ?? []
  const wanted = segment === '' ? path : '/tools/{name}/execute'
  return ROUTES.filter((route) => route.path === wanted).map((route) => ({ route, name: segment }))
}
