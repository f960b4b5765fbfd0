/** Calls of the API: one tool, or exactly the call that a ticket was given for. Both go through the chain, and no model is asked. */

import type { App } from '../../app/create-app.ts'
import { newPlace } from '../../app/ids.ts'
import type { Arrival, Outcome } from '../../kernel/call.ts'
import { errandId, statusOf } from '../../kernel/errand.ts'
import type { Errand } from '../../kernel/errand.ts'
import { REFUSALS, refusalText } from '../../kernel/refusal.ts'
import type { Fields } from '../../kernel/schema.ts'
import type { PendingCalls, Waiting } from './pending.ts'

/** Whoever uses this API is asked by ticket. */
export const BY_TICKET = { door: 'api', takesQuestions: true, capabilities: { elicitation: { form: {} } } } as const satisfies Partial<Arrival>

export interface Reply {
  readonly http: number
  readonly body: Fields
}

export interface Calls {
  call(tool: string, args: Fields, signal: AbortSignal): Promise<Reply>
  /** The same arguments as a ticket was given for, with the ticket and a person's yes or no. */
  redeem(ticket: string, given: { readonly approve: boolean; readonly tool?: string; readonly args?: Fields }, signal: AbortSignal): Promise<Reply>
  /** What an answer says of a call that waits. */
  waits(ticket: string, waiting: Waiting): Fields
}

const NO_TICKET: Reply = { http: REFUSALS['consent.ticket'].http, body: { error: 'consent.ticket', message: REFUSALS['consent.ticket'].says } }

export function createCalls({ app, pending }: { readonly app: App; readonly pending: PendingCalls }): Calls {
  const { dispatch, local, settings } = app

  const waits = (ticket: string, waiting: Waiting): Fields => {
    pending.put(ticket, waiting)
    const { ask, args, tool } = waiting
    const message = Object.values(ask.questions)[0]?.params['message']
    return { ticket, tool, arguments: args, level: ask.panel?.level ?? '', shows: String(message ?? ''), expires_in_seconds: settings.askTimeoutSeconds }
  }

  const replyOf = (outcome: Outcome, waiting: Omit<Waiting, 'ask'>): Reply => {
    const { tool, errand } = waiting
    const status = statusOf(outcome.is, outcome.is === 'refused' ? outcome.refusal.code : '') || 'error'
    const body = { status, request: errand.id, tool }
    switch (outcome.is) {
      case 'ok': {
        const { value, blocks } = outcome.answer
        return { http: 200, body: { ...body, result: value, ...(blocks.length > 0 && { content: blocks }) } }
      }
      case 'task':
        return { http: 200, body: { ...body, result: { task_id: outcome.task.taskId } } }
      case 'ask':
        // A question that is no yes or no cannot be answered here.
        return outcome.ask.panel === undefined
          ? { http: 403, body: { ...body, status: 'error', error: 'consent.unavailable', message: REFUSALS['consent.unavailable'].says } }
          : { http: 202, body: { ...body, ...waits(outcome.ticket, { ...waiting, ask: outcome.ask }) } }
      case 'refused':
        return { http: REFUSALS[outcome.refusal.code].http, body: { ...body, error: outcome.refusal.code, message: refusalText(outcome.refusal) } }
      case 'fault':
        return { http: 500, body: { ...body, error: 'internal', message: `internal error (incident ${outcome.incident})` } }
    }
  }

  return {
    waits,
    async call(tool, args, signal) {
      const known = app.registry.view(local.scopes).find('tool', tool) !== undefined
      const errand: Errand = { id: errandId(newPlace()), text: `POST /tools/${known ? tool : 'unknown'}/execute` }
      const outcome = await dispatch({ kind: 'tool', name: tool, args }, local, { ...BY_TICKET, errand, signal })
      return replyOf(outcome, { tool: known ? tool : 'unknown', args, errand })
    },
    async redeem(ticket, { approve, tool, args }, signal) {
      const waiting = pending.find(ticket)
      if (!waiting || (tool !== undefined && tool !== waiting.tool)) return NO_TICKET
      const replies = Object.fromEntries(Object.keys(waiting.ask.questions).map((name) => [name, approve ? { action: 'accept', content: { approve: true } } : { action: 'decline' }]))
      const outcome = await dispatch({ kind: 'tool', name: waiting.tool, args: args ?? waiting.args }, local, { ...BY_TICKET, errand: waiting.errand, signal, reply: { ticket, replies } })
      const isTicketRefused = outcome.is === 'refused' && outcome.refusal.code === 'consent.ticket'
      // Changed arguments are no use of the ticket.
      if (!isTicketRefused || args === undefined) pending.drop(ticket)
      // Whoever comes second with a ticket says nothing of the call.
      if (!isTicketRefused) waiting.heard?.(outcome)
      return replyOf(outcome, waiting)
    },
  }
}
