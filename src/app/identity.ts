/** Opens what HTTP needs to know its callers: the verifier of the settings, or a token for this machine. */

import { ConfigError } from '../config/index.ts'
import type { Settings } from '../config/index.ts'
import { systemClock } from '../exits/clock.ts'
import { watchText } from '../exits/disk/watch-text.ts'
import { createOperatorClient } from '../exits/net/index.ts'
import type { Clock } from '../kernel/clock.ts'
import { createIdentity, keyClient, mintLocalToken as mint, openRevocations } from '../services/identity/index.ts'
import type { Identity, LocalToken, Revocations } from '../services/identity/index.ts'
import { catalog } from '../tools/catalog.ts'

export interface OpenedIdentity extends Identity {
  /** Stops watching the list of revoked tokens. */
  close(): void
}

export interface IdentityOptions {
  /** Hears a sentence for the operator. @default a warning of the process */
  readonly warn?: (problem: string) => void
  /** @default the system's */
  readonly clock?: Clock
}

/**
 * Undefined where authentication is off.
 * @throws ConfigError when a key cannot be used, or the list of revoked tokens cannot be read: without it nobody is let in.
 */
export async function openIdentity(settings: Settings, options: IdentityOptions = {}): Promise<OpenedIdentity | undefined> {
  if (!settings.authEnabled) return undefined
  const { clock = systemClock, warn = (problem) => process.emitWarning(problem) } = options
  const { oauthRevocationFile: file } = settings
  const client = createOperatorClient({ internalHosts: settings.internalEndpoints ?? [], userAgent: 'arrowhead' })
  const revocations = file === undefined ? undefined : followed(file, warn)
  try {
    const identity = await createIdentity(settings, { client: keyClient(client), clock, ...(revocations && { revocations }) })
    return { ...identity, close: () => revocations?.close() }
  } catch (error) {
    revocations?.close()
    throw inSettings('ARROWHEAD_OAUTH_PUBLIC_KEY', error)
  }
}

/** Longest list of revoked tokens, in characters: some fifty thousand of them. */
export const MAX_LIST_CHARS = 4_000_000

function followed(file: string, warn: (problem: string) => void): Revocations {
  try {
    return openRevocations((onText) => watchText(file, onText, MAX_LIST_CHARS), warn)
  } catch (error) {
    throw inSettings('ARROWHEAD_OAUTH_REVOCATION_FILE', error)
  }
}

/** What a service finds wrong with its settings is the operator's to hear, in the service's own words. */
const inSettings = (name: string, error: unknown): unknown => (error instanceof TypeError ? new ConfigError([`${name}: ${error.message}`]) : error)

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
