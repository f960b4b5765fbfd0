/** The HTTP door on a free loopback port, with a fake identity: the token is the key of a table. */

import { createHttpDoor } from '../../src/doors/http/index.ts'
import type { HttpDoorOptions } from '../../src/doors/http/index.ts'
import type { App } from '../../src/app/create-app.ts'
import { ALICE } from './world.ts'

/** Auth as a deployment sets it. The key is never used: the fake identity stands in for the verifier. */
export const AUTH_SETTINGS = {
  authEnabled: true,
  serverPublicUrl: 'http://127.0.0.1:8000', oauthIssuer: 'http://127.0.0.1:8000', oauthAudience: 'http://127.0.0.1:8000',
  oauthJwksUri: 'http://127.0.0.1:8000/keys',
} as const

export const ALICE_TOKEN = 'token-of-alice'
export const BOB_TOKEN = 'token-of-bob'

const person = (subject: string) => ({ is: 'caller', subject, scopes: new Set<string>(ALICE.scopes) }) as const
const people = new Map([[`Bearer ${ALICE_TOKEN}`, person(ALICE.subject)], [`Bearer ${BOB_TOKEN}`, person('bob')]])

const identity: NonNullable<HttpDoorOptions['identity']> = {
  verify: async (authorization) => people.get(authorization ?? '') ?? { is: authorization === undefined ? 'missing' : 'invalid', reason: 'signature' },
}

export interface HttpServer {
  readonly url: string
  close(): Promise<void>
}

export async function openHttp(app: App): Promise<HttpServer> {
  // A setting names a port from 1 up; 0 lets the system choose, so that tests never meet on one port.
  const anyPort: App = { ...app, settings: { ...app.settings, port: 0 } }
  const door = createHttpDoor({ app: anyPort, ...(app.settings.authEnabled && { identity }), version: '0.0.0-test', warn: () => {} })
  const { url } = await door.listen()
  return { url, close: () => door.drain() }
}
