/**
 * Questions to a handshake-era client, which answers them as JSON-RPC responses. Each id is random and
 * belongs to one caller: an answer under another's id finds nothing.
 */

import { newQuestionId } from '../../app/ids.ts'
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
}

export interface AskedClient {
  readonly capabilities: Capabilities
  /** Whose answers count. @default the one client of a connection */
  readonly caller?: string
  send(message: object): void
}

interface Open {
  readonly caller: string
  settle(response: { readonly result?: unknown }): void
}

const MAX_OPEN = 10_000

export function createQuestionLine(timeoutMs: number): QuestionLine {
  const open = new Map<string, Open>()

  const put = (name: string, question: Questions[string], send: (message: object) => void, caller: string) =>
    new Promise<readonly [string, unknown]>((resolve, reject) => {
      if (open.size >= MAX_OPEN) throw refusal('consent.unavailable', 'too many questions are open')
      const id = newQuestionId()
      const timer = setTimeout(() => {
        open.delete(id)
        reject(refusal('consent.unavailable', 'nobody answered in time'))
      }, timeoutMs)
      timer.unref()
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

  return {
    async ask(questions, { capabilities, caller = '', send }) {
      if (lacking(questions, capabilities)) throw refusal('client.capability')
      const answers = await Promise.all(Object.entries(questions).map(([name, question]) => put(name, question, send, caller)))
      return Object.fromEntries(answers)
    },
    take(response, caller) {
      const { id } = response as { readonly id?: unknown }
      const found = typeof id === 'string' ? open.get(id) : undefined
      if (!found || found.caller !== caller) return false
      found.settle(response)
      return true
    },
  }
}

/** Before 2025-11-25 a form was the only mode and had no name. */
function wireParams({ params }: Questions[string]): object {
  const { mode, ...rest } = params
  return mode === undefined || mode === 'form' ? rest : params
}
