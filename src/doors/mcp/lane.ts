/**
 * The hot lane: plain requests, answered from our own tables without the protocol library. Whatever asks
 * for more than that is none of its business, and the library, which is the reference, answers it. For what it
 * takes, the two give the same bytes; `test/doors/lane.test.ts` holds them to that.
 */

import type { App } from '../../app/create-app.ts'
import type { Answer } from '../../kernel/answer.ts'
import type { Arrival, Outcome, Request } from '../../kernel/call.ts'
import { toWire } from './answers.ts'
import type { Client, Era, WireError } from './answers.ts'
import { areCapabilitiesPlain, isInfoPlain } from './client-card.ts'
import { capabilitiesOf, claimsModern, isModernEnvelope, plainMeta, replyOf } from './envelope.ts'
import type { PlainMeta } from './envelope.ts'
import { NO_EXTRAS, capabilitiesWith, isOffered, takesExtra } from './extras.ts'
import { HANDSHAKE_VERSIONS, INSTRUCTIONS, LATEST_HANDSHAKE, MODERN, serverInfo } from './identity-card.ts'
import type { Id, Message, Params } from './message.ts'
import { toRequest } from './methods.ts'
import { EXTENSIONS, servesTasks } from './tasks.ts'

export interface PlainCall {
  readonly request: Request
  readonly meta: PlainMeta
  readonly era: Era
  /** What a sessionless request says of its client and brings along. */
  readonly asks: Pick<Arrival, 'capabilities' | 'reply' | 'takesQuestions'>
}

type RequestMessage = Extract<Message, { is: 'request' }>

export interface Lane {
  /** The call that a plain request asks for; undefined where the library must look at it. */
  callOf(message: RequestMessage, era: Era): PlainCall | undefined
  /** The whole response to a call, and the error in it. */
  answer(id: Id, request: Request, outcome: Outcome, client: Client): { readonly text: string; readonly error?: WireError }
  /** The whole response to a plain `initialize`, `ping` or `server/discover`. */
  introduce(message: RequestMessage, era: Era): string | undefined
}

/** Members that plain parameters may have, by method. */
const PLAIN_PARAMS: Readonly<Record<string, readonly string[]>> = {
  'tools/list': ['cursor'], 'resources/list': ['cursor'], 'resources/templates/list': ['cursor'], 'prompts/list': ['cursor'],
  'tools/call': ['name', 'arguments'], 'prompts/get': ['name', 'arguments'], 'resources/read': ['uri'], 'completion/complete': ['ref', 'argument'],
}

/** Methods that may be tried again with answers (2026-07-28, input required). */
const MAY_ASK: ReadonlySet<string> = new Set(['tools/call', 'prompts/get', 'resources/read'])
const REPLY_PARAMS = ['inputResponses', 'requestState']

export function createLane({ settings, registry, offers }: Pick<App, 'settings' | 'registry' | 'offers'>, version: string, extras = NO_EXTRAS): Lane {
  const meta = `"_meta":{"io.modelcontextprotocol/serverInfo":${JSON.stringify(serverInfo(version))}}`
  const hint = (ttlMs: number): string => `"ttlMs":${ttlMs},"cacheScope":"private",`
  const [listed, read] = [hint(settings.toolListTtlMs), hint(settings.resourceReadTtlMs)]
  const tail = { listing: `"resultType":"complete",${listed}${meta}`, resource: `"resultType":"complete",${read}${meta}`, other: `"resultType":"complete",${meta}` }
  const tailOf = ({ kind }: Request): string => (kind === 'listing' || kind === 'resource' ? tail[kind] : tail.other)
  // A listing is the same array for as long as the view is, so its text is made once.
  const listings = new WeakMap<object, { modern?: string; legacy?: string }>()

  const resultText = (request: Request, text: string, era: Era): string =>
    era === 'legacy' ? text : text === '{}' ? `{${tailOf(request)}}` : `${text.slice(0, -1)},${tailOf(request)}}`

  const listingText = (request: Request, items: object, result: Params, era: Era): string => {
    let made = listings.get(items)
    if (!made) listings.set(items, (made = {}))
    return (made[era] ??= resultText(request, JSON.stringify(result), era))
  }

  return {
    callOf({ method, params }, era) {
      const allowed = Object.hasOwn(PLAIN_PARAMS, method) && isOffered(method, offers) ? PLAIN_PARAMS[method] : undefined
      if (!allowed || (era === 'modern' ? !isModernEnvelope(params) : claimsModern(params))) return undefined
      const mayAsk = era === 'modern' && MAY_ASK.has(method)
      if (mayAsk && !isPlainState(params)) return undefined
      for (const key of Object.keys(params)) if (key !== '_meta' && !allowed.includes(key) && !(mayAsk && REPLY_PARAMS.includes(key))) return undefined
      const meta = plainMeta(params)
      const request = meta && toRequest(method, params)
      return request && { request, meta, era, asks: mayAsk ? asksOf(params) : {} }
    },

    answer(id, request, outcome, client) {
      const { era } = client
      if (outcome.is === 'ok' && request.kind === 'tool' && outcome.answer.blocks.length === 0) return { text: response(id, resultText(request, fieldsText(outcome.answer), era)) }
      const wire = toWire(request, outcome, client)
      if ('error' in wire) return { text: `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"error":${JSON.stringify(wire.error)}}`, error: wire.error }
      if (outcome.is === 'ask' || outcome.is === 'task') return { text: response(id, `${JSON.stringify(wire.result).slice(0, -1)},${meta}}`) }
      const items = request.kind === 'listing' && outcome.is === 'ok' ? (outcome.answer.value['items'] as object) : undefined
      return { text: response(id, items ? listingText(request, items, wire.result, era) : resultText(request, JSON.stringify(wire.result), era)) }
    },

    introduce({ id, method, params }, era) {
      if (era === 'legacy' && !claimsModern(params)) {
        if (method === 'ping' && Object.keys(params).length === 0) return response(id, '{}')
        if (takesExtra(method, params, extras)) return response(id, '{}')
        const spoken = method === 'initialize' ? spokenVersion(params) : undefined
        return spoken && response(id, JSON.stringify({ protocolVersion: spoken, capabilities: capabilitiesWith(extras, offers), serverInfo: serverInfo(version), instructions: INSTRUCTIONS }))
      }
      if (era === 'legacy' || method !== 'server/discover' || !isModernEnvelope(params) || !plainMeta(params) || Object.keys(params).length > 1) return undefined
      const said = JSON.stringify({ supportedVersions: [MODERN], capabilities: { ...capabilitiesWith(NO_EXTRAS, offers), ...(servesTasks({ registry }) && { extensions: EXTENSIONS }) }, instructions: INSTRUCTIONS })
      return response(id, `${said.slice(0, -1)},${tail.listing}}`)
    },
  }
}

/** What `toWire` makes of plain fields, as JSON: the fields are there twice, and spelled once. */
function fieldsText({ value }: Answer): string {
  const fields = JSON.stringify(value)
  return `{"content":[{"type":"text","text":${JSON.stringify(fields)}}],"structuredContent":${fields}}`
}

/** A state that is no text is none of ours, and what is wrong with it is the library's to say. */
const isPlainState = ({ requestState }: Params): boolean => requestState === undefined || typeof requestState === 'string'

function asksOf(params: Params): PlainCall['asks'] {
  const reply = replyOf(params)
  return { takesQuestions: true, capabilities: capabilitiesOf(params), ...(reply && { reply }) }
}

const response = (id: Id, result: string): string => `{"result":${result},"jsonrpc":"2.0","id":${JSON.stringify(id)}}`

/** What a plain handshake settles on (2025-11-25, lifecycle §initialization): the client's version where we speak it, else our latest. */
function spokenVersion(params: Params): string | undefined {
  const { protocolVersion, capabilities, clientInfo, ...rest } = params
  const isPlain = typeof protocolVersion === 'string' && areCapabilitiesPlain(capabilities) && isInfoPlain(clientInfo)
  if (!isPlain || Object.keys(rest).length > 0) return undefined
  return HANDSHAKE_VERSIONS.includes(protocolVersion) ? protocolVersion : LATEST_HANDSHAKE
}
