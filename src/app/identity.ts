/** Opens what HTTP needs to know its callers: the verifier of the settings, or a token for this machine. */

import type { Settings } from '../config/index.ts'
import { systemClock } from '../exits/clock.ts'
import { createOperatorClient } from '../exits/net/index.ts'
import { createIdentity, keyClient, mintLocalToken as mint } from '../services/identity/index.ts'
import type { Identity, LocalToken } from '../services/identity/index.ts'
import { catalog } from '../tools/catalog.ts'

/** Undefined where authentication is off. */
export async function openIdentity(settings: Settings): Promise<Identity | undefined> {
  if (!settings.authEnabled) return undefined
  const client = createOperatorClient({ internalHosts: settings.internalEndpoints ?? [], userAgent: 'arrowhead' })
  return createIdentity(settings, { client: keyClient(client), clock: systemClock })
}

export interface MintOptions {
  readonly dataDir: string
  readonly issuer: string
  readonly audience: string
  readonly ttlSeconds: number
}

/** A token with every scope there is, for the person at this machine. */
export function mintLocalToken(options: MintOptions): Promise<LocalToken> {
  const scopes = [...new Set(catalog.flatMap(({ tools, resources, prompts }) => [...tools, ...resources, ...prompts].map(({ scope }) => scope)))]
  return mint({ ...options, scopes: scopes.sort(), subject: 'local', clock: systemClock })
}
