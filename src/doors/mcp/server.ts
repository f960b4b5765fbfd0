/**
 * The MCP server behind both transports: the SDK's low-level `Server` with dispatch of our own, so that
 * every call, even one with a wrong name or a bad input, is one run of the chain and one audit record.
 */

import { CLIENT_CAPABILITIES_META_KEY, ProtocolError, Server } from '@modelcontextprotocol/server'
import type { ServerContext } from '@modelcontextprotocol/server'
import type { App } from '../../app/create-app.ts'
import type { Arrival } from '../../kernel/call.ts'
import type { Capabilities } from '../../kernel/question.ts'
import type { Caller, Door } from '../../kernel/caller.ts'
import { REFUSALS, refusalText } from '../../kernel/refusal.ts'
import { lacksTasks, messageError, toWire } from './answers.ts'
import { NO_EXTRAS, capabilitiesWith, extraMethods, isOffered, mayTell } from './extras.ts'
import type { ProtocolExtras } from './extras.ts'
import { INSTRUCTIONS, PROTOCOL_VERSIONS, serverInfo } from './identity-card.ts'
import type { Params } from './message.ts'
import { CALL_METHODS, toRequest } from './methods.ts'
import { TRACEPARENT, parentOf, replyOf } from './envelope.ts'
import { EXTENSIONS, TASK_METHODS, answerTask, declaresTasks, servesTasks } from './tasks.ts'

export interface ServerParts {
  readonly app: App
  readonly door: Extract<Door, 'stdio' | 'http'>
  readonly version: string
  /** Handshake era only. @default none */
  readonly extras?: ProtocolExtras
  /** Whether it speaks to sessionless clients, who may poll tasks. */
  readonly isModern?: boolean
  callerOf(context: ServerContext): Caller
  /** Hears that a request became a call, which leaves its own record. */
  entered(context: ServerContext): void
}

export function createMcpServer(parts: ServerParts): Server {
  const { app, version, extras = NO_EXTRAS, isModern = false } = parts
  const { toolListTtlMs, resourceReadTtlMs } = app.settings
  const listed = { ttlMs: toolListTtlMs, cacheScope: 'private' } as const
  const server = new Server(
    serverInfo(version),
    {
      instructions: INSTRUCTIONS,
      capabilities: { ...capabilitiesWith(extras, app.offers), ...(isModern && servesTasks(app) && { extensions: EXTENSIONS }) },
      supportedProtocolVersions: [...PROTOCOL_VERSIONS],
      cacheHints: {
        'tools/list': listed, 'resources/list': listed, 'resources/templates/list': listed, 'prompts/list': listed, 'server/discover': listed,
        'resources/read': { ttlMs: resourceReadTtlMs, cacheScope: 'private' },
      },
    },
  )
  for (const method of CALL_METHODS.filter((one) => isOffered(one, app.offers))) {
    server.setRequestHandler(method as 'tools/call', (request, context) => answer(method, request.params ?? {}, context, parts) as never)
  }
  for (const method of TASK_METHODS.filter((one) => isOffered(one, app.offers))) {
    server.setRequestHandler(method, { params: ANYTHING }, async (params, context) => (await answerTaskMethod(method, params as Params, context, parts)) as never)
  }
  for (const method of extraMethods(extras)) server.setRequestHandler(method as 'resources/subscribe', () => ({}))
  return server
}

async function answer(method: string, params: Params, context: ServerContext, parts: ServerParts): Promise<unknown> {
  const request = toRequest(method, params)
  if (!request) throw protocolError(messageError('input.invalid'))
  parts.entered(context)
  const arrival = arrivalOf(context, parts)
  const outcome = await parts.app.dispatch(request, parts.callerOf(context), arrival)
  const wire = toWire(request, outcome, { era: context.mcpReq.envelope === undefined ? 'legacy' : 'modern', capabilities: arrival.capabilities ?? {} })
  if ('error' in wire) throw protocolError(wire.error)
  return wire.result
}

/** Checked by whoever reads it: a task's id, and answers for it. */
const ANYTHING = { '~standard': { version: 1, vendor: 'arrowhead', validate: (value: unknown) => ({ value: value as Params }) } } as const

async function answerTaskMethod(method: (typeof TASK_METHODS)[number], params: Params, context: ServerContext, parts: ServerParts): Promise<Params> {
  if (context.mcpReq.envelope === undefined) throw protocolError(messageError('message.method'))
  const arrival = arrivalOf(context, parts)
  if (!declaresTasks(arrival)) throw protocolError(lacksTasks().error)
  parts.entered(context)
  const inputResponses = params['inputResponses'] ?? context.mcpReq.inputResponses
  const wire = await answerTask(parts.app, { method, params: { ...params, inputResponses }, caller: parts.callerOf(context), arrival })
  if ('result' in wire) return wire.result
  if ('refused' in wire) throw protocolError({ code: -32_603, message: refusalText(wire.refused), data: { code: wire.refused.code } })
  throw protocolError(wire.fault === 'unknown' ? { ...messageError('input.invalid'), message: `task.missing: ${REFUSALS['task.missing'].says}` } : { code: -32_603, message: 'internal error' })
}

const protocolError = ({ code, message, data }: ReturnType<typeof messageError>): ProtocolError => new ProtocolError(code, message, data)

function arrivalOf({ mcpReq }: ServerContext, { door, extras = NO_EXTRAS }: ServerParts): Arrival {
  const parent = parentOf(mcpReq._meta?.[TRACEPARENT])
  const token = mcpReq._meta?.progressToken
  const reply = replyOf({ requestState: mcpReq.requestState<unknown>(), inputResponses: mcpReq.inputResponses })
  const capabilities = (mcpReq.envelope as Params | undefined)?.[CLIENT_CAPABILITIES_META_KEY] as Capabilities | undefined
  return {
    door,
    signal: mcpReq.signal,
    takesQuestions: true,
    ...(reply && { reply }),
    ...(capabilities && { capabilities }),
    tell: (method, params) => {
      if (mayTell(method, extras)) void mcpReq.notify({ method, params } as never).catch(() => {})
    },
    ...(parent && { parent }),
    ...(token !== undefined && {
      progress: (progress: number, total?: number, message?: string) => {
        const params = { progressToken: token, progress, ...(total !== undefined && { total }), ...(message !== undefined && { message }) }
        void mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {})
      },
    }),
  }
}
