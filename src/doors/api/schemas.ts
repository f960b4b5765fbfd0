/** The bodies and answers of the API as JSON Schemas: what is checked is what the OpenAPI document says. */

import { STATUSES } from '../../kernel/errand.ts'
import type { JsonSchema } from '../../kernel/schema.ts'

const text = (maxLength: number): JsonSchema => ({ type: 'string', minLength: 1, maxLength })
const string: JsonSchema = { type: 'string' }
const object = (properties: Readonly<Record<string, JsonSchema>>, required: readonly string[]): JsonSchema =>
  ({ type: 'object', properties, required, additionalProperties: false })

const MAX_MESSAGE = 100_000
const status: JsonSchema = { type: 'string', enum: [...STATUSES] }

/** A call that waits: its ticket, what would run, and what the person should be shown. */
const ticket = {
  ticket: string,
  tool: string,
  arguments: { type: 'object' },
  level: string,
  shows: string,
  expires_in_seconds: { type: 'number' },
} as const

export const CHAT = object({ message: text(MAX_MESSAGE), conversation: text(100), stream: { type: 'boolean' } }, ['message'])
export const EXECUTE = object({ arguments: { type: 'object' }, confirm: { type: 'boolean' }, ticket: text(20_000) }, [])
export const CONFIRM = object({ ticket: text(20_000), approve: { type: 'boolean' } }, ['ticket'])

export const HEALTH = object({ status: { type: 'string', const: 'ok' } }, ['status'])
export const FAILURE = object({ error: string, message: string }, ['error', 'message'])
export const TOOLS = object({
  tools: { type: 'array', items: object({ name: string, title: string, description: string, level: string, effect: string, scope: string, parameters: { type: 'object' } }, ['name', 'title', 'description', 'level', 'effect', 'scope', 'parameters']) },
}, ['tools'])

/** What a call came to. */
export const CALLED = object({ status, request: string, result: { type: 'object' }, content: { type: 'array', items: { type: 'object' }, description: 'Content blocks in the words of MCP, of tools that answer with some.' }, error: string, message: string, ...ticket }, ['status', 'request', 'tool'])

export const ANSWERED = object({
  status: { type: 'string', enum: ['answered', 'stopped', 'confirmation_required'] },
  request: string, conversation: string, answer: string, why: string, message: string,
  steps: { type: 'array', items: object({ tool: string, args: { type: 'object' }, status }, ['tool', 'args', 'status']) },
  ...ticket,
}, ['status', 'request', 'conversation', 'steps'])

export const LOGS = object({
  rows: {
    type: 'array',
    items: object({
      at: string, request: string, motive: string, tool: string, level: string, confirmed: { type: 'boolean' }, status: string,
      code: string, duration_ms: { type: 'number' }, arguments: string, door: string, kind: string,
    }, ['at', 'tool', 'status', 'duration_ms', 'door', 'kind']),
  },
}, ['rows'])
