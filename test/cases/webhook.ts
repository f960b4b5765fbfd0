/**
 * Runs one webhook case through the policy and the network exit that a delivery passes; only the
 * look-up and the socket are replaced. A list that would stop the start lets nothing out.
 */

import { createWebhooks } from '../../src/services/notify/index.ts'
import { parseWebhookEntry, webhookDestination } from '../../src/policy/webhook.ts'
import { classifyAddress, parseAddress } from '../../src/policy/address.ts'
import { Refusal } from '../../src/kernel/refusal.ts'
import type { Connector } from '../../src/exits/net/index.ts'
import type { Case, Verdict } from './case.ts'
import type { Answers } from './ssrf.ts'
import { scriptedConnection, scriptedResolver } from './ssrf.ts'

/** Where there are no answers, every name has a public address. */
export interface WebhookInput extends Answers {
  readonly allow: readonly string[]
  readonly url: string
  /** Answers to the requests in order; after them, 200. */
  readonly redirects?: readonly { readonly status: number; readonly location: string }[]
}

export interface WebhookCase extends Case<WebhookInput> {
  /** Addresses that may be dialled although the case expects a refusal. */
  readonly pinOk?: readonly string[]
}

const PUBLIC = '93.184.215.14'
const OK = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}'

const isPublic = (address: string): boolean => {
  const bytes = parseAddress(address)
  return bytes !== undefined && classifyAddress(bytes) === 'public'
}

interface Sent {
  readonly refused: string | undefined
  readonly dialled: readonly { readonly name: string; readonly address: string }[]
}

async function send(input: WebhookInput): Promise<Sent> {
  const { allow, url, redirects = [] } = input
  const entries = allow.map(parseWebhookEntry)
  if (!entries.every((entry) => entry !== undefined)) return { refused: 'the start', dialled: [] }
  const dialled: { name: string; address: string }[] = []
  const waiting = [...redirects]
  const connector: Connector = async ({ address, name }) => {
    dialled.push({ name, address })
    const next = waiting.shift()
    return scriptedConnection(address, next ? `HTTP/1.1 ${next.status} Moved\r\nlocation: ${next.location}\r\ncontent-length: 0\r\n\r\n` : OK)
  }
  const webhooks = createWebhooks({
    destination: (raw) => webhookDestination(raw, entries), maxPayloadBytes: 1000, maxResponseBytes: 1000, timeoutMs: 10_000, userAgent: 'test',
    allowedPorts: entries.map(({ port }) => port), clock: { now: () => 0 }, secret: () => undefined, connector, pausesMs: [],
    resolver: input.dns === undefined ? async () => [PUBLIC] : scriptedResolver(input),
  })
  try {
    await webhooks.post(url, { text: 'done' }, new AbortController().signal)
    return { refused: undefined, dialled }
  } catch (error) {
    if (error instanceof Refusal) return { refused: `${error.code} (${error.reason ?? 'no reason'})`, dialled }
    throw error
  }
}

/** A refusal may follow one request, where the answer was a redirect, but never a second one. */
export async function runWebhookCase({ input, expect, alsoOk = [], pinOk }: WebhookCase): Promise<Verdict> {
  const { refused, dialled } = await send(input)
  const wanted = refused === undefined ? 'allow' : 'refuse'
  const reached = dialled.every(({ address }) => isPublic(address)) && dialled.length <= (input.redirects === undefined && refused !== undefined ? 0 : 1)
  const got = `${refused === undefined ? 'allow' : `refuse by ${refused}`}, dialled ${dialled.map(({ name }) => name).join(' ') || 'nothing'}`
  const pinned = pinOk !== undefined && refused === undefined && dialled.every(({ address }) => pinOk.includes(address))
  return { right: reached && (expect === wanted || alsoOk.includes(wanted) || pinned), got }
}
