/**
 * Sends JSON to one destination that was chosen by a caller and listed by the operator. The address is resolved,
 * judged and pinned as for every fetch; a redirect is another destination and is refused.
 */

import { setTimeout as pause } from 'node:timers/promises'
import { Refusal, refusal } from '../../kernel/refusal.ts'
import { createConnector } from './connector.ts'
import { withDeadline } from './deadline.ts'
import type { Answer, AnswerHead } from './exchange.ts'
import { exchange } from './exchange.ts'
import type { GateOptions } from './gate.ts'
import { createGate } from './gate.ts'
import { checkLimit } from './limits.ts'
import type { Connector } from './ports.ts'

export interface WebhookClientOptions extends GateOptions {
  /** Of the answer; the rest is not read. */
  readonly maxResponseBytes: number
  /** Wall time of all attempts together. */
  readonly timeoutMs: number
  readonly userAgent: string
  readonly connector?: Connector | undefined
  /** Milliseconds before the second, third … attempt. Default: 250 and 1000. */
  readonly pausesMs?: readonly number[]
}

export interface WebhookRequest {
  readonly url: URL
  readonly body: string
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  readonly signal: AbortSignal
}

export interface WebhookResponse {
  readonly status: number
  readonly body: Buffer
  readonly truncated: boolean
}

/** Answers that ask for another attempt (RFC 9110 §15.6, RFC 6585 §4). */
const AGAIN: ReadonlySet<number> = new Set([429, 502, 503, 504])
const PAUSES_MS = [250, 1000]

const isRedirect = ({ status }: AnswerHead): boolean => status >= 300 && status < 400

/** @throws TypeError for a limit or a list entry that cannot be applied. */
export const createWebhookClient = (options: WebhookClientOptions): { post(request: WebhookRequest): Promise<WebhookResponse> } => {
  const { maxResponseBytes, timeoutMs, userAgent, connector = createConnector(), pausesMs = PAUSES_MS } = options
  checkLimit('maxResponseBytes', maxResponseBytes)
  checkLimit('timeoutMs', timeoutMs)
  const gate = createGate(options, { exempt: [], forbidden: [] })

  const once = async ({ url, body, headers }: WebhookRequest, signal: AbortSignal): Promise<Answer> => {
    const address = await gate(url)
    const sent = { ...headers, accept: '*/*', 'content-type': 'application/json', 'user-agent': userAgent }
    // One byte more than is wanted tells whether there was more.
    return exchange({ url, address, connector, method: 'POST', headers: sent, content: body, maxBytes: maxResponseBytes + 1, cuts: true, signal, skipsBody: isRedirect })
  }

  const send = async (request: WebhookRequest, signal: AbortSignal): Promise<Answer> => {
    for (const pauseMs of pausesMs) {
      try {
        const answer = await once(request, signal)
        if (!AGAIN.has(answer.status)) return answer
      } catch (error) {
        if (!(error instanceof Refusal) || error.code !== 'egress.unreachable' || signal.aborted) throw error
      }
      await pause(pauseMs, undefined, { signal }).catch(() => signal.throwIfAborted())
    }
    return once(request, signal)
  }

  return {
    post: (request) => withDeadline(request.signal, timeoutMs, async (signal) => {
      const answer = await send(request, signal)
      if (isRedirect(answer)) throw refusal('egress.redirects', undefined, 'not-followed')
      const truncated = answer.body.length > maxResponseBytes
      return { status: answer.status, body: answer.body.subarray(0, maxResponseBytes), truncated }
    }),
  }
}
