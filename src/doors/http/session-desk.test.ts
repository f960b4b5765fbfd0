import { expect, it } from 'vitest'
import { testApp } from '../../testing/index.ts'
import type { Caller } from '../../kernel/caller.ts'
import { createSessionDesk } from './session-desk.ts'
import type { Exchange } from './exchange.ts'

it('a session of the operator is none of a token that calls itself local', async () => {
  const { app } = testApp()
  const desk = createSessionDesk(app)
  const exchange = (caller: Caller, id?: string) => ({ caller, extra: [] as string[], request: { headers: { 'mcp-session-id': id } } }) as unknown as Exchange & { readonly extra: string[] }
  const opening = exchange(app.local)
  desk.open(opening, { capabilities: { elicitation: {} } })
  const id = opening.extra[1]
  expect(await desk.check(exchange(app.callerOf('local', []), id))).toBe('http.session')
  expect(await desk.check(exchange(app.local, id))).toBeUndefined()
})
