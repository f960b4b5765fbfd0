/**
 * Questions to a handshake-era client, which answers them as JSON-RPC responses. Each id is random and
 * belongs to one caller: an answer under another's id finds nothing. An answer that another process took is
 * handed to the one that asked, where processes can talk.
 */

import { newQuestionId, newPlace, placeOf } from '../../app/ids.ts'
import type { Bus } from '../../kernel/ports/bus.ts'
import { lacking } from '../../kernel/question.ts'
import type { Capabilities, Questions, Replies } from '../../kernel/question.ts'
import { refusal } from '../../kernel/refusal.ts'

export interface QuestionLine {
  /**
   * Sends every question and waits for all answers. Rejects with `client.capability` where the client did not say that it
   * can answer one, and with `consent.unavailable` when the time is over.
   */
  ask(questions: Questions, client: AskedClient): Promise<Replies>
  /** Takes a JSON-RPC response; false where this caller was not asked under its id. */
  take(response: object, caller: string): boolean
  /** Hands a response to the process that asked; false where none of this deployment listens for it. */
  forward(response: object, caller: string): Promise<boolean>
  /** Hears no more of other processes. */
  close(): void
}

export interface AskedClient {
  readonly capabilities: Capabilities
  /** Whose answers count. @default the one client of a connection */
  readonly caller?: string
  send(message: object): void
  /** Registers what is to be done when the client is gone, or nobody waits any more. */
  onGone?(stop: () => void): void
}

interface Open {
  readonly caller: string
  settle(response: { readonly result?: unknown }): void
}

const MAX_OPEN = 10_000
/** Questions that one caller may leave open. */
const MAX_OPEN_PER_CALLER = 64

/** @param bus the other processes of this deployment, where there are any. */
export function createQuestionLine(timeoutMs: number, bus?: Bus): QuestionLine {
  const open = new Map<string, Open>()
  const place = newPlace()

  const openOf = (caller: string): number => [...open.values()].filter((one) => one.caller === caller).length

  const put = (name: string, question: Questions[string], { caller = '', send, onGone }: AskedClient) =>
    new Promise<readonly [string, unknown]>((resolve, reject) => {
      if (open.size >= MAX_OPEN || openOf(caller) >= MAX_OPEN_PER_CALLER) throw refusal('consent.unavailable', 'too many questions are open')
      const id = newQuestionId(place)
      const drop = (why: string): void => {
        clearTimeout(timer)
        if (open.delete(id)) reject(refusal('consent.unavailable', why))
      }
      const timer = setTimeout(() => drop('nobody answered in time'), timeoutMs)
      timer.unref()
      onGone?.(() => drop('the client is gone'))
      open.set(id, {
        caller,
        settle(response) {
          clearTimeout(timer)
          open.delete(id)
          // An error is an answer too: the client did not, or could not, ask.
          resolve([name, response.result ?? { action: 'cancel' }])
        },
      })
      send({ jsonrpc: '2.0', id, method: question.method, params: wireParams(question) })
    })

  const settled = (response: object, caller: string): boolean => {
    const { id } = response as { readonly id?: unknown }
    const found = typeof id === 'string' ? open.get(id) : undefined
    if (!found || found.caller !== caller) return false
    found.settle(response)
    return true
  }
  const stop = bus?.subscribe(topicOf(place), (message) => {
    const { response, caller } = JSON.parse(message) as { response: object; caller: string }
    settled(response, caller)
  })

  return {
    close: () => stop?.(),
    async ask(questions, client) {
      if (lacking(questions, client.capabilities)) throw refusal('client.capability')
      const answers = await Promise.all(Object.entries(questions).map(([name, question]) => put(name, question, client)))
      return Object.fromEntries(answers)
    },
    take: settled,
    async forward(response, caller) {
      const elsewhere = bus && placeOf((response as { readonly id?: unknown }).id)
      if (!bus || elsewhere === undefined || elsewhere === place) return false
      // Who asked judges whether it was this caller; here it only counts that somebody listens there.
      return (await bus.publish(topicOf(elsewhere), JSON.stringify({ response, caller }))) > 0
    },
  }
}

const topicOf = (place: string): string => `replies:${place}`

/** Before 2025-11-25 a form was the only mode and had no name. */
function wireParams({ params }: Questions[string]): object {
  const { mode, ...rest } = params
  return mode === undefined || mode === 'form' ? rest : params
}
