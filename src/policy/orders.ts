/** What the operator of a workspace server decided beforehand, because nobody is there to be asked: the words of it. */

import { isObject } from '../kernel/json-object.ts'
import type { Fields } from '../kernel/schema.ts'
import { tokenProblem } from './canary.ts'

/** `confirm` would ask a person; where there is none it denies. */
export const TAINT_WORDS = ['off', 'warn', 'confirm', 'deny'] as const
export const CANARY_WORDS = ['off', 'warn', 'deny'] as const

/** In any currency, for a million tokens. */
export interface Prices {
  readonly sent: number
  readonly received: number
}

export interface Orders {
  /** What becomes of a change that carries text from outside. */
  readonly taint: (typeof TAINT_WORDS)[number]
  /** What becomes of an answer or a change that holds a planted token. */
  readonly canary: (typeof CANARY_WORDS)[number]
  readonly tokens: readonly string[]
  readonly prices: Prices | undefined
}

export const NO_ORDERS: Orders = { taint: 'warn', canary: 'deny', tokens: [], prices: undefined }

export type ParsedOrders = { readonly ok: true; readonly orders: Orders } | { readonly ok: false; readonly problems: readonly string[] }

/** Reads `taint`, `canary` and `prices` of the user's own configuration. One that cannot be held to is a problem. */
export function parseOrders({ taint = NO_ORDERS.taint, canary = {}, prices }: Fields): ParsedOrders {
  const problems: string[] = []
  const known = wordOf(TAINT_WORDS, taint)
  if (known === undefined) problems.push(`taint: must be ${TAINT_WORDS.join(', ')}`)
  const { policy = NO_ORDERS.canary, tokens = [], ...rest } = isObject(canary) ? canary : { rest: canary }
  const word = wordOf(CANARY_WORDS, policy)
  if (word === undefined) problems.push(`canary: "policy" must be ${CANARY_WORDS.join(', ')}`)
  if (Object.keys(rest).length > 0) problems.push('canary: must be an object of policy and tokens')
  const wrong = tokenProblem(tokens)
  if (wrong !== undefined) problems.push(`canary: "tokens" ${wrong}`)
  const paid = prices === undefined ? undefined : pricesOf(prices)
  if (prices !== undefined && paid === undefined) problems.push('prices: must be {"sent", "received"}, for a million tokens each')
  if (problems.length > 0 || known === undefined || word === undefined) return { ok: false, problems }
  return { ok: true, orders: { taint: known, canary: word, tokens: tokens as readonly string[], prices: paid } }
}

const wordOf = <Word extends string>(words: readonly Word[], given: unknown): Word | undefined => words.find((word) => word === given)

function pricesOf(raw: unknown): Prices | undefined {
  if (!isObject(raw)) return undefined
  const { sent, received, ...rest } = raw
  const isPrice = (value: unknown): value is number => typeof value === 'number' && value >= 0 && value < 1e9
  return isPrice(sent) && isPrice(received) && Object.keys(rest).length === 0 ? { sent, received } : undefined
}

/** Characters of a token at the least: what a provider did not count is not taken for less than it was. */
const CHARS_PER_TOKEN = 3

export interface Spent {
  /** As the provider counted them; absent where it did not say. */
  readonly sent: number | undefined
  readonly received: number | undefined
  readonly sentChars: number
  readonly receivedChars: number
}

/** What one turn of a model costs. */
export const costOf = ({ sent, received, sentChars, receivedChars }: Spent, prices: Prices): number =>
  ((sent ?? Math.ceil(sentChars / CHARS_PER_TOKEN)) * prices.sent + (received ?? Math.ceil(receivedChars / CHARS_PER_TOKEN)) * prices.received) / 1_000_000
