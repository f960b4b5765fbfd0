/**
 * The `Models` and `ChatModel` ports over one provider, reached by the operator's client alone. What goes out is bounded, what
 * comes back is bounded while it arrives, and no word of the provider's own reaches an error.
 */

import { setTimeout as pauseFor } from 'node:timers/promises'
import type { OperatorClient, OperatorResponse } from '../../exits/net/index.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { ChatModel, ChatRequest, ChatTurn } from '../../kernel/ports/chat.ts'
import type { Models } from '../../kernel/ports/models.ts'
import { Refusal, refusal } from '../../kernel/refusal.ts'
import { Incoming } from './incoming.ts'
import type { Protocol } from './protocol.ts'
import { isBusy, MAX_ATTEMPTS, waitMs } from './retry.ts'
import { stopReason } from '../../kernel/stop-reason.ts'

export interface ModelLimits {
  /** Most tokens of one answer. */
  readonly maxTokens: number
  /** Wall time of one completion, every attempt and wait included. */
  readonly timeoutMs: number
  readonly maxPromptChars: number
}

export interface ModelOptions extends ModelLimits {
  readonly protocol: Protocol
  /** What prompts are posted to, exactly. */
  readonly endpoint: string
  readonly model?: string | undefined
  readonly key?: string | undefined
  /** Tokens of prompt and answer that a provider is told to make room for. @default it is told nothing */
  readonly roomTokens?: number | undefined
}

export interface ModelPorts {
  readonly client: OperatorClient
  readonly clock: Clock
  readonly quote: Models['quote']
  /** @default a timer */
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<unknown>
  /** From 0 to 1, so that many callers do not come back at once. @default random */
  readonly jitter?: () => number
}

/** Text that an honest token may be: most are four characters, some in code are a dozen. */
const CHARS_PER_TOKEN = 16
/** What a token may take on the wire, in an event of its own with all that providers put around it. */
const WIRE_BYTES_PER_TOKEN = 2_048
const WIRE_BYTES = 65_536
const MOST_WIRE_BYTES = 64_000_000

const ACCEPTED = 'text/event-stream, application/x-ndjson, application/json'

const failed = (reason: string): Refusal => refusal('model.failed', 'try again later, or ask the operator', reason)

/** Statuses with which providers refuse a request that hands over tools to a model that has none. */
const NO_TOOLS: ReadonlySet<number> = new Set([400, 422, 501])

export function createModels(options: ModelOptions, ports: ModelPorts): Models & ChatModel {
  const { maxPromptChars, timeoutMs } = options
  const { clock, pause = (ms, signal) => pauseFor(ms, undefined, { signal }), jitter = Math.random } = ports

  let speaksTools = true

  const chat = async (request: ChatRequest): Promise<ChatTurn> => {
    const length = request.messages.reduce((sum, message) => sum + message.content.length + ('call' in message ? message.call.args.length : 0), request.system.length)
    if (length > maxPromptChars) throw refusal('model.prompt', 'ask about less at a time')
    const until = clock.ticks() + timeoutMs
    for (let attempt = 1; ; attempt += 1) {
      const leftMs = Math.floor(until - clock.ticks())
      if (leftMs < 1) throw failed('timeout')
      const said = await post(options, ports, { request, leftMs })
      if (!('status' in said)) return said
      if (NO_TOOLS.has(said.status) && (request.tools?.length ?? 0) > 0) {
        speaksTools = false
        return LACKS_TOOLS
      }
      const wait = waitMs(said.headers['retry-after'], attempt, { now: clock.now(), jitter: jitter() })
      if (!isBusy(said.status) || attempt >= MAX_ATTEMPTS || clock.ticks() + wait >= until) throw failed(`status ${said.status}`)
      await cancellable(pause(wait, request.signal), request.signal)
    }
  }
  return {
    maxPromptChars, quote: ports.quote, chat,
    get speaksTools() {
      return speaksTools
    },
    complete: async (request) => {
      const { text, tokens, model, isCut } = await chat(request)
      if (text.trim() === '') throw failed('empty')
      return { text, tokens, model, isCut }
    },
  }
}

const LACKS_TOOLS: ChatTurn = { text: '', calls: [], lacksTools: true, tokens: {}, model: '', isCut: false }

interface Sending {
  readonly request: ChatRequest
  readonly leftMs: number
}

/** @returns the completion, or what the provider said instead. */
async function post(options: ModelOptions, { client }: ModelPorts, { request, leftMs }: Sending): Promise<ChatTurn | OperatorResponse> {
  const { protocol, endpoint, model, key } = options
  const maxTokens = Math.min(request.maxTokens ?? options.maxTokens, options.maxTokens)
  const incoming = new Incoming(protocol, maxTokens * CHARS_PER_TOKEN, request.onText)
  const { system, messages, tools, json } = request
  const body = protocol.body({ model, system, messages, tools, json, roomTokens: options.roomTokens, maxTokens, host: new URL(endpoint).hostname })
  try {
    const response = await client.request({
      method: 'POST', url: endpoint, body: JSON.stringify(body), signal: request.signal, timeoutMs: leftMs,
      headers: { 'content-type': 'application/json', accept: ACCEPTED, ...protocol.headers(key) },
      maxBytes: Math.min(MOST_WIRE_BYTES, WIRE_BYTES + maxTokens * WIRE_BYTES_PER_TOKEN),
      receive: (chunk, head) => incoming.receive(chunk, head),
    })
    if (response.status !== 200) return response
    const problem = incoming.end(response)
    if (problem !== undefined) throw failed(problem)
    return incoming.answer.turn(model)
  } catch (error) {
    throw asRefusal(error)
  }
}

/** What ends the call ends it as it is; a failure of the network keeps its words for the audit. */
function asRefusal(error: unknown): unknown {
  if (!(error instanceof Refusal)) return error
  if (error.code.startsWith('call.') || error.code === 'model.failed') return error
  return failed([error.code, error.reason].filter((word) => word !== undefined).join(' '))
}

async function cancellable(waiting: Promise<unknown>, signal: AbortSignal): Promise<void> {
  try {
    await waiting
  } catch (error) {
    if (!signal.aborted) throw error
    throw stopReason(signal)
  }
}
