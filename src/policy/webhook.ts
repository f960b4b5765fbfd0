/**
 * Where webhooks may go. An entry and a URL are read by one parser and compared part by part: scheme, host, port
 * and path, each at its own boundary, so no text can look like a place that it is not.
 */

import { Refusal, refusal } from '../kernel/refusal.ts'
import { climbs } from './climbing-path.ts'
import { hostOf, isHostPattern, matchesHost, parseEgressUrl, portOf } from './egress-rules.ts'

/** One destination of the operator's list. */
export interface WebhookEntry {
  readonly scheme: string
  /** An exact host, or `*.` and a name for one or more labels before it. */
  readonly host: string
  readonly port: number
  /** Everything below it where it ends in a slash, otherwise this path alone. */
  readonly path: string
}

const ABSOLUTE = /^https?:\/\/(?!\/)/i
const WILDCARD = /^(https?:\/\/)\*\./i

/** Reads `https://*.example.com:8443/in/`; undefined for what is not exactly that. */
export function parseWebhookEntry(text: string): WebhookEntry | undefined {
  const bare = text.replace(WILDCARD, '$1')
  const url = ABSOLUTE.test(bare) && !/[?#*]/.test(bare) ? parseEgressUrl(bare) : undefined
  if (url === undefined || url instanceof Refusal) return undefined
  const host = bare === text ? hostOf(url) : `*.${hostOf(url)}`
  const path = bare.slice(bare.indexOf('://') + '://'.length).replace(/^[^/]*/, '')
  // A path that the parser would fold is not the one that the operator meant.
  if (!isHostPattern(host) || climbs(path) || portOf(url) === 0) return undefined
  return { scheme: url.protocol, host, port: portOf(url), path: url.pathname }
}

/** The URL as it will be sent to, or the refusal `notify.destination` or `egress.*`. Query and fragment do not count. */
export function webhookDestination(raw: string, entries: readonly WebhookEntry[]): URL | Refusal {
  if (!ABSOLUTE.test(raw)) return refusal('egress.url', 'use an absolute http or https URL', 'syntax')
  const url = parseEgressUrl(raw)
  if (url instanceof Refusal) return url
  if (!entries.some((entry) => covers(entry, url))) return refusal('notify.destination', 'ask the operator which destinations there are', 'not-listed')
  return url
}

const covers = ({ scheme, host, port, path }: WebhookEntry, url: URL): boolean =>
  url.protocol === scheme && portOf(url) === port && matchesHost(host, hostOf(url)) && !climbs(url.pathname) &&
  (path.endsWith('/') ? url.pathname.startsWith(path) : url.pathname === path)
