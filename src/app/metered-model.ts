/** A language model whose turns are counted and paid for: it is asked nothing more once the bound on the cost would be passed. */

import type { ChatModel, ChatRequest } from '../kernel/ports/chat.ts'
import { Refusal, refusal } from '../kernel/refusal.ts'
import { costOf } from '../policy/orders.ts'
import type { Prices } from '../policy/orders.ts'

export interface Meter {
  /** In the currency of the prices. */
  readonly bound: number
  readonly prices: Prices
}

export interface MeteredModel extends ChatModel {
  readonly turns: number
  /** Whether a turn was not taken because of its cost. */
  readonly isSpent: boolean
  /** What the last turn failed with. */
  readonly failure: Refusal | undefined
}

/** @param onTurn hears the number of each turn before it is taken. */
export function meteredModel(model: ChatModel, meter: Meter | undefined, onTurn: (turn: number) => void): MeteredModel {
  let [turns, cost, isSpent] = [0, 0, false]
  let failure: Refusal | undefined
  return {
    maxPromptChars: model.maxPromptChars,
    get speaksTools() {
      return model.speaksTools
    },
    get turns() {
      return turns
    },
    get isSpent() {
      return isSpent
    },
    get failure() {
      return failure
    },
    async chat(request) {
      const sentChars = lengthOf(request)
      isSpent = meter !== undefined && cost + costOf({ sent: undefined, received: 0, sentChars, receivedChars: 0 }, meter.prices) > meter.bound
      if (isSpent) throw (failure = refusal('budget.spent', 'ask for less, or have the operator raise --max-cost'))
      onTurn(turns + 1)
      try {
        const turn = await model.chat(request)
        if (turn.lacksTools) return turn
        turns += 1
        const { text, calls, tokens } = turn
        const receivedChars = calls.reduce((sum, { args }) => sum + args.length, text.length)
        if (meter) cost += costOf({ sent: tokens.sent, received: tokens.received, sentChars, receivedChars }, meter.prices)
        return turn
      } catch (error) {
        if (error instanceof Refusal) failure = error
        throw error
      }
    },
  }
}

const lengthOf = ({ system, messages, tools = [] }: ChatRequest): number =>
  messages.reduce((sum, message) => sum + message.content.length + ('call' in message ? message.call.args.length : 0), system.length + JSON.stringify(tools).length)
