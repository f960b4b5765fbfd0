/** Reads the operator's list of destinations at start, and opens the way to them with the first delivery. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError } from '../config/index.ts'
import type { Settings } from '../config/index.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Webhooks } from '../kernel/ports/notify.ts'
import { parseWebhookEntry, webhookDestination } from '../policy/webhook.ts'
import type { WebhookEntry } from '../policy/webhook.ts'
import type { AppOptions } from './ports.ts'

/** Deliveries are signed where the operator put a secret here, below the data directory. */
const SECRET_FILE = 'notify.key'

/** @throws ConfigError naming each entry that cannot be applied, by its place. */
function entriesOf({ notifyAllowlist = [] }: Settings): readonly WebhookEntry[] {
  const parsed = notifyAllowlist.map(parseWebhookEntry)
  const problems = parsed.flatMap((entry, index) => (entry ? [] : [`ARROWHEAD_NOTIFY_ALLOWLIST: entry ${index + 1} is no URL prefix such as https://hooks.example.com/in/`]))
  if (problems.length > 0) throw new ConfigError(problems)
  return parsed.filter((entry) => entry !== undefined)
}

/** @throws ConfigError */
export function lazyWebhooks(settings: Settings, clock: Clock, { dataDir = settings.dataDir, ownAddresses }: AppOptions): Webhooks {
  const entries = entriesOf(settings)
  let opened: Promise<Webhooks> | undefined
  const open = async (): Promise<Webhooks> => {
    const { createWebhooks, secretOf } = await import('../services/notify/index.ts')
    const secret = dataDir === undefined ? undefined : contentOf(join(dataDir, SECRET_FILE))
    return createWebhooks({
      destination: (url) => webhookDestination(url, entries),
      maxPayloadBytes: settings.notifyMaxPayloadBytes,
      maxResponseBytes: settings.notifyMaxResponseBytes,
      timeoutMs: settings.notifyTimeoutSeconds * 1000,
      allowedHosts: settings.egressAllowedHosts,
      // A port that the operator wrote into an entry is one that the operator allowed.
      allowedPorts: settings.egressAllowedPorts ?? entries.map(({ port }) => port),
      userAgent: 'arrowhead',
      ownAddresses,
      clock,
      secret: () => (secret === undefined ? undefined : secretOf(secret)),
    })
  }
  return { post: async (url, payload, signal) => (await (opened ??= open())).post(url, payload, signal) }
}

function contentOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT') return undefined
    throw error
  }
}
