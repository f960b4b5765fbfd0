/** Two callers over one memory, through the whole chain. */

import { testApp } from '../../testing/index.ts'
import type { TestApp } from '../../testing/index.ts'
import type { Outcome } from '../../kernel/call.ts'

const SCOPES = ['memory:read', 'memory:write']

export interface Callers extends TestApp {
  alice(name: string, args: object): Promise<Outcome>
  bob(name: string, args: object): Promise<Outcome>
}

export function callers(settings: object = {}): Callers {
  const app = testApp({ settings: { rateLimitEnabled: false, ...settings } })
  const as = (subject: string) => (name: string, args: object) => app.call(name, args, app.app.callerOf(subject, SCOPES))
  return { ...app, alice: as('alice'), bob: as('bob') }
}

/** The fields of an answer; empty for everything else. */
export const fieldsOf = (outcome: Outcome): Readonly<Record<string, unknown>> => (outcome.is === 'ok' ? outcome.answer.value : {})
