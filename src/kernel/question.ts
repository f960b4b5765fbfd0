/**
 * What a call asks of the other side before it can go on: a person, a model, or the client itself. The words
 * are MCP's (2026-07-28, input required), so that a question travels as it is in either protocol era.
 */

import type { Panel } from './panel.ts'
import type { Fields } from './schema.ts'

export interface Question {
  readonly method: 'elicitation/create' | 'sampling/createMessage' | 'roots/list'
  readonly params: Fields
}

export type Questions = Readonly<Record<string, Question>>

/** Answers by the names of their questions. They come from outside: whoever asked must check them. */
export type Replies = Readonly<Record<string, unknown>>

/** Ends a run with questions. A tool throws it by `context.ask`; the call is run again with the answers. */
export class Ask {
  readonly questions: Questions
  /** Kept for the next run, sealed on its way through the client. At most a few kilobytes. */
  readonly state: Fields
  /** What a person would be shown, where it is their word that is asked for. It stays on this machine. */
  readonly panel: Panel | undefined

  constructor(questions: Questions, state: Fields = {}, panel?: Panel) {
    this.questions = questions
    this.state = state
    this.panel = panel
  }
}

/** What a client said that it can be asked. */
export interface Capabilities {
  readonly elicitation?: { readonly form?: object; readonly url?: object }
  readonly sampling?: object
  readonly roots?: object
  /** Extensions of the protocol, by their names. */
  readonly extensions?: Readonly<Record<string, object>>
}

/** A form for a person: a flat JSON Schema of strings, numbers and flags. */
export const elicit = (message: string, requestedSchema: Fields): Question =>
  ({ method: 'elicitation/create', params: { mode: 'form', message, requestedSchema } })

/** A page for a person to open. What is done there is not seen here. @param url absolute, https */
export const elicitUrl = (message: string, url: string, elicitationId: string): Question =>
  ({ method: 'elicitation/create', params: { mode: 'url', message, url, elicitationId } })

/** The capabilities that questions need and a client did not declare, in MCP's own form; undefined where none is missing. */
export function lacking(questions: Questions, has: Capabilities | undefined): Readonly<Record<string, object>> | undefined {
  const missing: Record<string, object> = {}
  for (const { method, params } of Object.values(questions)) {
    if (method === 'sampling/createMessage' && !has?.sampling) missing['sampling'] = {}
    if (method === 'roots/list' && !has?.roots) missing['roots'] = {}
    if (method === 'elicitation/create' && !canElicit(params['mode'], has)) missing['elicitation'] = params['mode'] === 'url' ? { url: {} } : {}
  }
  return Object.keys(missing).length === 0 ? undefined : missing
}

/** An empty `elicitation` means forms (2025-11-25, client/elicitation §capabilities). */
function canElicit(mode: unknown, has: Capabilities | undefined): boolean {
  const declared = has?.elicitation
  if (!declared) return false
  return mode === 'url' ? declared.url !== undefined : declared.form !== undefined || declared.url === undefined
}
