/**
 * The refusal table of MCP: how each outcome reads on the wire, by kind of component.
 * An unknown name is a protocol error with fixed text; what a tool refuses is a result that the model sees.
 */

import type { Answer } from '../../kernel/answer.ts'
import type { Outcome, Request } from '../../kernel/call.ts'
import { lacking } from '../../kernel/question.ts'
import type { Capabilities } from '../../kernel/question.ts'
import { REFUSALS, refusalText } from '../../kernel/refusal.ts'
import type { Refusal, RefusalCode } from '../../kernel/refusal.ts'
import { contentOf, messagesOf } from '../../kernel/resource.ts'
import type { PromptMessage } from '../../kernel/resource.ts'
import { EXTENSIONS, createdTask } from './tasks.ts'

export type Era = 'modern' | 'legacy'

export interface WireError {
  readonly code: number
  readonly message: string
  readonly data?: { readonly code: RefusalCode; readonly hint?: string; readonly requiredCapabilities?: object }
}

export type Wire = { readonly result: Readonly<Record<string, unknown>> } | { readonly error: WireError }

/** MCP 2026-07-28, basic: a request that needs a capability which the client did not declare; HTTP status 400. */
export const MISSING_CAPABILITY = -32021

/** JSON-RPC 2.0 §5.1. A missing resource is -32602 in both eras, as 2026-07-28 demands and 2025-11-25 allows. */
export const [INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS, INTERNAL, PARSE] = [-32600, -32601, -32602, -32603, -32700]

/** Who gets the answer: questions are worded for what the client can do. */
export interface Client {
  readonly era: Era
  readonly capabilities: Capabilities
}

export function toWire(request: Request, outcome: Outcome, client: Client): Wire {
  switch (outcome.is) {
    case 'ok':
      return { result: resultOf(request, outcome.answer) }
    case 'refused':
      return refused(request, outcome.refusal)
    case 'fault':
      return failed(request, `internal error (incident ${outcome.incident}): see the server’s log`)
    case 'ask':
      return asked(request, outcome, client)
    case 'task':
      return { result: createdTask(outcome.task) }
  }
}

function refused(request: Request, refusal: Refusal): Wire {
  const { code, hint } = refusal
  const unknown = code === 'component.unknown' || code === 'resource.missing' || code === 'consent.ticket'
  if (code === 'task.required') return lacksTasks()
  if (request.kind === 'tool' && !unknown) return toolError(refusalText(refusal))
  const number = unknown || code === 'input.invalid' ? INVALID_PARAMS : INTERNAL
  return { error: { code: number, message: refusalText(refusal), data: { code, ...(hint !== undefined && { hint }) } } }
}

const failed = (request: Request, message: string): Wire =>
  request.kind === 'tool' ? toolError(message) : { error: { code: INTERNAL, message } }

/** Questions instead of an answer (2026-07-28, input required); a client that cannot answer them is told what it lacks. */
function asked(request: Request, { ask, ticket }: Extract<Outcome, { is: 'ask' }>, { era, capabilities }: Client): Wire {
  if (era === 'legacy') return failed(request, refusalFixed('consent.unavailable'))
  const requiredCapabilities = lacking(ask.questions, capabilities)
  if (!requiredCapabilities) return { result: { inputRequests: ask.questions, requestState: ticket, resultType: 'input_required' } }
  return { error: { code: MISSING_CAPABILITY, message: refusalFixed('client.capability'), data: { code: 'client.capability', requiredCapabilities } } }
}

/** The client did not declare that it polls tasks. */
export const lacksTasks = (): { readonly error: WireError } =>
  ({ error: { code: MISSING_CAPABILITY, message: refusalFixed('task.required'), data: { code: 'task.required', requiredCapabilities: { extensions: EXTENSIONS } } } })

const toolError = (text: string): Wire => ({ result: { content: [{ type: 'text', text }], isError: true } })

const refusalFixed = (code: RefusalCode): string => `${code}: ${REFUSALS[code].says}`

/** What a door answers to a message that never became a call. */
export const messageError = (code: RefusalCode): WireError => ({
  code: code === 'message.not-json' ? PARSE : code === 'message.method' ? METHOD_NOT_FOUND : code === 'input.invalid' ? INVALID_PARAMS : INVALID_REQUEST,
  message: refusalFixed(code),
  data: { code },
})

function resultOf(request: Request, answer: Answer): Readonly<Record<string, unknown>> {
  const { value, blocks } = answer
  switch (request.kind) {
    case 'tool':
      return Object.keys(value).length === 0 && blocks.length > 0
        ? { content: blocks }
        : { content: [{ type: 'text', text: JSON.stringify(value) }, ...blocks], structuredContent: value }
    case 'resource':
      return { contents: [{ uri: request.uri, ...wireContent(answer) }] }
    case 'prompt':
      return { description: value['description'], messages: messagesOf(answer).map(wireMessage) }
    case 'completion':
      return { completion: { values: value['values'], hasMore: value['more'] === true } }
    case 'listing':
      return { [LIST_FIELD[request.of]]: value['items'] }
  }
}

const LIST_FIELD = { tools: 'tools', resources: 'resources', templates: 'resourceTemplates', prompts: 'prompts' } as const

function wireContent(answer: Answer): object {
  const content = contentOf(answer)
  if ('blob' in content) return { mimeType: content.mimeType, blob: content.blob }
  const { mimeType, text, metadata } = content
  return { mimeType, text, ...(metadata && { _meta: { [PROVENANCE]: metadata } }) }
}

/** Key of our own (MCP 2025-11-25, basic §_meta). */
const PROVENANCE = 'arrowhead/provenance'

const wireMessage = (message: PromptMessage): object =>
  ({ role: message.role, content: 'text' in message ? { type: 'text', text: message.text } : message.content })
