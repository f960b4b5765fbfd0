/** What each route does once a request was let in: reads its body or query by the route's own schema, and answers. */

import type { App } from '../../app/create-app.ts'
import type { AssistantEvent } from '../../app/assistant.ts'
import { levelInForce } from '../../app/lowered-levels.ts'
import type { AuditRow } from '../../kernel/audit.ts'
import { REFUSALS } from '../../kernel/refusal.ts'
import { fromJsonSchema } from '../../kernel/schema.ts'
import type { Fields, Schema } from '../../kernel/schema.ts'
import type { Exchange } from '../http/exchange.ts'
import { mediaFault } from '../http/media.ts'
import { readText } from '../http/read-body.ts'
import { readObject } from '../mcp/message.ts'
import type { Calls, Reply } from './calls.ts'
import type { ChatRequest, Chats } from './chats.ts'
import { openApi, toolsOf } from './openapi.ts'
import { ROUTES } from './routes.ts'
import type { Match, Route, Work } from './routes.ts'

export type LogReader = (limit: number) => readonly AuditRow[]

export interface HandlerParts {
  readonly app: App
  readonly calls: Calls
  readonly chats: Chats
  readonly logs: LogReader
  /** Aborts when the door closes. */
  readonly stop: AbortSignal
  document(): { readonly version: string; readonly url: string }
}

export interface Handlers {
  serve(exchange: Exchange, match: Match): void
}

type Handler = (exchange: Exchange, input: Fields, match: Match) => Promise<void> | void

const DEFAULT_LOGS = 20
const schemas = new Map<Route, Schema>(ROUTES.flatMap((route) => (route.body ? [[route, fromJsonSchema(route.body)] as const] : [])))

export function createHandlers({ app, calls, chats, logs, stop, document }: HandlerParts): Handlers {
  const called = async (exchange: Exchange, work: (signal: AbortSignal) => Promise<Reply>): Promise<void> => {
    exchange.entered = true
    const { http, body } = await work(leaving(exchange, stop))
    if (body['request'] !== undefined) return exchange.json(http, body)
    // A ticket that no call waits for brought nothing into the chain, so the chain has no record of it.
    exchange.entered = false
    exchange.refuse('consent.ticket')
  }

  const levelOf = levelInForce(app.settings)
  const table: Readonly<Record<Work, Handler>> = {
    health: (exchange) => exchange.json(200, { status: 'ok' }),
    document: (exchange) => done(exchange, openApi(app, document())),
    tools: (exchange) => done(exchange, { tools: [...toolsOf(app).values()].map((entry) => toolRow(entry, levelOf)) }),
    logs: (exchange, { limit = DEFAULT_LOGS }) => done(exchange, { rows: logs(limit as number).map(logRow) }),
    tool: (exchange, args, { route }) => called(exchange, (signal) => calls.call(route.tool ?? '', args, signal)),
    execute: (exchange, { arguments: args = {}, confirm, ticket }, { name }) => {
      if (confirm !== true && ticket === undefined) return called(exchange, (signal) => calls.call(name, args as Fields, signal))
      // A flag alone is nobody's word: anyone who can send one can send the other.
      if (confirm !== true || ticket === undefined) return exchange.refuse('consent.ticket')
      return called(exchange, (signal) => calls.redeem(ticket as string, { approve: true, tool: name, args: args as Fields }, signal))
    },
    confirm: (exchange, { ticket, approve = true }) => called(exchange, (signal) => calls.redeem(ticket as string, { approve: approve === true }, signal)),
    chat: (exchange, { stream, ...request }) => {
      const signal = leaving(exchange, stop)
      const send = stream === true ? streamOf(exchange) : undefined
      const asked = chats.ask(request as unknown as ChatRequest, signal, (event) => send?.(event))
      if (asked === undefined) return exchange.refuse('http.busy')
      exchange.entered = true
      return asked.then(({ http, body }) => (send ? send({ is: 'end', body }) : exchange.json(http, body)))
    },
  }

  return {
    serve(exchange, match) {
      const { route } = match
      const run = (input: Fields): Promise<void> | void => table[route.work](exchange, input, match)
      if (route.method === 'GET') {
        const query = queryOf(exchange.request.url, route)
        return query === undefined ? refuse(exchange, 'the query is not what the document says') : void exchange.run(() => run(query))
      }
      const media = mediaFault(exchange.request)
      if (media) return exchange.refuse(media)
      readText(exchange, app.settings.httpMaxBodyBytes, (body) => {
        if ('fault' in body) return exchange.refuse(body.fault)
        const read = readObject(body.text)
        if ('code' in read) return exchange.refuse(read.code)
        const parsed = schemas.get(route)?.parse(read.value) ?? { ok: true, value: read.value }
        return parsed.ok ? run(parsed.value) : refuse(exchange, parsed.problems.join('; '))
      })
    },
  }
}

/** @param problems names and rules of ours, never a value. */
function refuse(exchange: Exchange, problems: string): void {
  exchange.note('refused', 'input.invalid')
  exchange.json(REFUSALS['input.invalid'].http, { error: 'input.invalid', message: `${REFUSALS['input.invalid'].says}: ${problems}` })
}

function done(exchange: Exchange, body: object): void {
  exchange.note('ok', '')
  exchange.json(200, body)
}

/** Aborts when the client leaves before it is answered, or the door closes. */
function leaving(exchange: Exchange, stop: AbortSignal): AbortSignal {
  const gone = new AbortController()
  exchange.onClose(() => gone.abort())
  return AbortSignal.any([gone.signal, stop])
}

const STREAM_HEADERS = { 'content-type': 'text/event-stream', 'cache-control': 'no-store, no-transform' } as const

type Told = AssistantEvent | { readonly is: 'end'; readonly body: Fields }

/** Each event as one frame, in order; the last ends the stream. */
function streamOf(exchange: Exchange): (told: Told) => Promise<void> {
  let before = Promise.resolve()
  return (told) => {
    before = before.then(async () => {
      if (exchange.closed) return
      if (!exchange.response.headersSent) exchange.head(200, STREAM_HEADERS)
      const [name, data] = frameOf(told)
      await exchange.write(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`)
      if (told.is === 'end') exchange.response.end()
    })
    return before
  }
}

function frameOf(told: Told): readonly [string, object] {
  switch (told.is) {
    case 'calling':
      return ['step', { step: told.step, tool: told.tool, arguments: told.shown }]
    case 'called':
      return ['result', { step: told.step, tool: told.tool, status: told.status }]
    case 'text':
      return ['text', { text: told.text }]
    case 'end':
      return ['end', told.body]
  }
}

/** Whole numbers within the bounds of the route, each at most once; undefined for anything else. */
function queryOf(url: string | undefined, { query = {} }: Route): Fields | undefined {
  const at = url?.indexOf('?') ?? -1
  const given = [...new URLSearchParams(at < 0 ? '' : url?.slice(at + 1))]
  const values = given.map(([name, text]) => {
    const max = Object.hasOwn(query, name) ? query[name] : undefined
    return max !== undefined && /^\d{1,9}$/.test(text) && Number(text) <= max ? ([name, Number(text)] as const) : undefined
  })
  if (values.includes(undefined) || new Set(given.map(([name]) => name)).size < given.length) return undefined
  return Object.fromEntries(values as (readonly [string, number])[])
}

function toolRow({ name, scope, component, listed }: ReturnType<ReturnType<typeof toolsOf>['get']> & object, levelOf: ReturnType<typeof levelInForce>): Fields {
  const { description, inputSchema } = listed()
  return { name, title: component.title, description: String(description ?? ''), level: levelOf(name, component.level), effect: component.effect, scope, parameters: inputSchema ?? {} }
}

function logRow({ at, component, code, ms, door, kind, outcome, args, errand }: AuditRow): Fields {
  const row = { at: new Date(at).toISOString(), tool: component, status: errand?.status || outcome, code, duration_ms: ms, door, kind }
  if (!errand) return { ...row, arguments: args }
  const { request, motive, level, confirmed, values } = errand
  return { ...row, request, motive, level, confirmed, arguments: values || args }
}
