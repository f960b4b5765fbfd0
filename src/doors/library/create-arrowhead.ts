/**
 * The library door: the same dispatch as every other door, called in process. Nothing is read from the
 * environment; what is not passed in has its documented default.
 */

import { defaultDataDir } from '../../app/default-data-dir.ts'
import type { App } from '../../app/create-app.ts'
import { createApp } from '../../app/create-app.ts'
import type { AppOptions } from '../../app/ports.ts'
import { loadSettings } from '../../config/index.ts'
import type { Settings } from '../../config/index.ts'
import { Answer } from '../../kernel/answer.ts'
import { ANONYMOUS } from '../../kernel/caller.ts'
import type { Caller, Claims } from '../../kernel/caller.ts'
import type { ListingName, Outcome, RemoteParent, Request } from '../../kernel/call.ts'
import type { Capabilities, Questions, Replies } from '../../kernel/question.ts'
import { contentOf, messagesOf } from '../../kernel/resource.ts'
import type { PromptMessage, ResourceContent } from '../../kernel/resource.ts'
import { refusal } from '../../kernel/refusal.ts'
import type { Fields } from '../../kernel/schema.ts'

/** Settings as a config file spells them; wrong ones are reported together. */
export type GivenSettings = { readonly [Key in keyof Settings]?: unknown } & { readonly [Rate in `${string}PerMinute`]?: unknown }

export interface CallOptions {
  readonly signal?: AbortSignal
  readonly onProgress?: (done: number, total?: number, message?: string) => void
  /**
   * Answers what the call asks, within `askTimeoutSeconds`: the words are MCP's (`{ action: 'accept', content: … }` for a
   * form). @default nobody can be asked
   */
  readonly onQuestions?: (questions: Questions) => Promise<Replies>
  /** The span that this call is part of. */
  readonly parent?: RemoteParent
}

/** What one caller may do. Each method throws `Refusal` for a deliberate no and `Fault` for anything else. */
export interface Session {
  call(name: string, args?: unknown, options?: CallOptions): Promise<Fields>
  readResource(uri: string, options?: CallOptions): Promise<ResourceContent>
  getPrompt(name: string, args?: unknown, options?: CallOptions): Promise<readonly PromptMessage[]>
  list(of: ListingName): Promise<readonly Fields[]>
  /** The outcome itself, for callers that would rather branch than catch. */
  outcome(request: Request, options?: CallOptions): Promise<Outcome>
}

export interface Arrowhead extends Session {
  /** The same server as seen by a verified subject with exactly these scopes. @throws TypeError for what is no text */
  as(principal: { readonly subject: string; readonly scopes: Iterable<string>; readonly claims?: Claims }): Session
  /** As the operator of this machine: every scope, and every grant unless a policy is set. */
  asLocal(): Session
  readonly app: App
  close(): Promise<void>
}

/** Something failed that is no refusal. What it was stands in the log under the incident id. */
export class Fault extends Error {
  override readonly name = 'Fault'
  readonly incident: string

  constructor(incident: string) {
    super(`internal error (incident ${incident})`)
    this.incident = incident
  }
}

/**
 * Opens an Arrowhead in this process. Calls made on it directly are anonymous, so everything that has a
 * scope is unknown to them: use `as`.
 * @throws ConfigError listing every setting that is wrong.
 */
export function createArrowhead(settings: GivenSettings = {}, options: AppOptions = {}): Arrowhead {
  const { values } = loadSettings({ file: JSON.stringify(settings, orWrong) })
  const dataDir = options.dataDir ?? values.dataDir ?? defaultDataDir(process)
  const app = createApp(values, { ...options, dataDir })
  return {
    ...session(app, ANONYMOUS),
    as({ subject, scopes, claims }) {
      if (typeof subject !== 'string') throw new TypeError('a subject is a text: without a verified one, nobody in particular calls')
      const held = typeof scopes === 'object' && scopes !== null ? [...scopes] : [undefined]
      if (!held.every((scope) => typeof scope === 'string')) throw new TypeError('scopes are a list of texts')
      return session(app, app.callerOf(subject, held, claims))
    },
    asLocal: () => session(app, app.local),
    app,
    close: () => app.close(),
  }
}

/** What JSON has no word for would be left out, as if it had not been set: null is a wrong value for every setting. */
const orWrong = (_key: string, value: unknown): unknown => (['function', 'symbol', 'bigint'].includes(typeof value) ? null : value)

function session(app: App, caller: Caller): Session {
  const outcome: Session['outcome'] = async (request, { signal, onProgress, parent, onQuestions } = {}) =>
    withoutReason(await app.dispatch(request, caller, {
      door: 'library', ...(signal && { signal }), ...(onProgress && { progress: onProgress }), ...(parent && { parent }),
      ...(onQuestions && { ask: inTime(onQuestions, app.settings.askTimeoutSeconds * 1000), capabilities: ANYTHING }),
    }))
  const answer = async (request: Request, options?: CallOptions): Promise<Answer> => answerOf(await outcome(request, options))
  return {
    outcome,
    call: async (name, args, options) => (await answer({ kind: 'tool', name, args }, options)).value,
    readResource: async (uri, options) => contentOf(await answer({ kind: 'resource', uri }, options)),
    getPrompt: async (name, args, options) => messagesOf(await answer({ kind: 'prompt', name, args }, options)),
    list: async (of) => (await answer({ kind: 'listing', of })).value['items'] as readonly Fields[],
  }
}

/** Why a component is not there is for the audit alone. */
const withoutReason = (outcome: Outcome): Outcome =>
  outcome.is === 'refused' && outcome.refusal.reason !== undefined ? { is: 'refused', refusal: refusal(outcome.refusal.code, outcome.refusal.hint) } : outcome

type Ask = NonNullable<CallOptions['onQuestions']>

/** A question is closed when its time is over, whether or not the program still works on an answer. */
const inTime = (ask: Ask, timeoutMs: number): Ask => async (questions) => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    // The call that waits keeps the process alive; a question of one that was stopped must not.
    timer = setTimeout(() => reject(refusal('consent.unavailable', 'nobody answered in time')), timeoutMs).unref()
  })
  try {
    return await Promise.race([ask(questions), late])
  } finally {
    clearTimeout(timer)
  }
}

/** A program that answers questions answers them all, or says no. */
const ANYTHING: Capabilities = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} }

function answerOf(outcome: Outcome): Answer {
  switch (outcome.is) {
    case 'ok':
      return outcome.answer
    case 'refused':
      throw outcome.refusal
    case 'fault':
      throw new Fault(outcome.incident)
    case 'ask':
      throw refusal('consent.unavailable')
    case 'task':
      return new Answer({ taskId: outcome.task.taskId })
  }
}
