/** Who calls, from the Authorization header alone: never from a query, a cookie or a message. */

import type { IncomingMessage } from 'node:http'
import type { App } from '../../app/create-app.ts'
import { after } from '../../kernel/awaitable.ts'
import type { Awaitable } from '../../kernel/awaitable.ts'
import type { Caller, Claims } from '../../kernel/caller.ts'
import { valuesOf } from './fields.ts'

type Judgement =
  | { readonly is: 'caller'; readonly subject: string; readonly scopes: ReadonlySet<string>; readonly claims?: Claims }
  | { readonly is: 'missing' }
  | { readonly is: 'invalid'; readonly reason: string }

/** The port behind which tokens are verified. */
export interface TokenVerifier {
  /** Judges the value of an Authorization header. The same object for the same token lets its caller be kept. */
  verify(authorization: string | undefined): Awaitable<Judgement>
}

export type Authenticated =
  | { readonly caller: Caller }
  | { readonly code: 'auth.missing' | 'auth.invalid'; readonly reason: string }

export type Authenticate = (request: IncomingMessage) => Awaitable<Authenticated>

/** Without authentication every caller is the local one. @throws TypeError when authentication is on and there is no verifier. */
export function createAuthenticate(app: Pick<App, 'settings' | 'local' | 'callerOf'>, verifier: TokenVerifier | undefined): Authenticate {
  if (!app.settings.authEnabled) {
    const local = { caller: app.local }
    return () => local
  }
  if (!verifier) throw new TypeError('authentication is on, but there is no identity to verify tokens with')
  // A caller that stays the same object keeps its view of the catalogue, which is worked out once.
  const callers = new WeakMap<object, Authenticated>()
  const authenticated = (judged: Judgement): Authenticated => {
    if (judged.is === 'missing') return { code: 'auth.missing', reason: '' }
    if (judged.is === 'invalid') return { code: 'auth.invalid', reason: judged.reason }
    let known = callers.get(judged)
    if (!known) callers.set(judged, (known = { caller: app.callerOf(judged.subject, judged.scopes, judged.claims) }))
    return known
  }
  return (request) => {
    const values = valuesOf(request, 'authorization')
    if (values.length > 1) return { code: 'auth.invalid', reason: 'repeated' }
    return after(verifier.verify(values[0]), authenticated)
  }
}
