/**
 * Where webhooks may go. An entry and a URL are read by one parser and compared part by part: scheme, host, port
 * and path, each at its own boundary, so no text can look like a place that it is not.
 */

import { Refusal, refusal } from '../kernel/refusal.ts'
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
const MAX_DECODINGS = 3
/** Longer encodings of an ASCII sign than it has (RFC 3629 §3), which lax decoders take for it. */
const OVERLONG = /%c[01]%[89ab]|%e0%8[01]%[89ab]|%f0%80%8[01]%[89ab]/i

/** Reads `https://*.example.com:8443/in/`; undefined for what is not exactly that. */
export function parseWebhookEntry(text: string): WebhookEntry | undefined {
  const bare = text.replace(WILDCARD, '$1')
  const url = ABSOLUTE.test(bare) && !/[?#*]/.test(bare) ? parseEgressUrl(bare) : undefined
  if (url === undefined || url instanceof Refusal) return undefined
  const host = bare === text ? hostOf(url) : `*.${hostOf(url)}`
  const path = bare.slice(bare.indexOf('://') + '://'.length).replace(/^[^/]*/, '')
  // A path that the parser would fold is not the one that the operator meant.
  if (!isHostPattern(host) || leavesPath(path) || portOf(url) === 0) return undefined
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
  url.protocol === scheme && portOf(url) === port && matchesHost(host, hostOf(url)) && !leavesPath(url.pathname) &&
  (path.endsWith('/') ? url.pathname.startsWith(path) : url.pathname === path)

/**
 * Whether a server that decodes once more than we do, takes backslashes for slashes, folds look-alikes of signs, or
 * drops tabs, blanks after a name, or what follows a semicolon or starts a query would read the path as one that climbs.
 */
function leavesPath(path: string): boolean {
  let text = path
  for (let round = 0; round <= MAX_DECODINGS; round += 1) {
    if (/[\0\t\r\n]/.test(text) || OVERLONG.test(text)) return true
    const names = text.normalize('NFKC').split(/[/\\]/)
    if (names.some((name) => /^\.\. *(?:[;?#]|$)/.test(name) || (round > 0 && /^\. *(?:[;?#]|$)/.test(name)))) return true
    const decoded = text.replace(/(?:%[\da-f]{2})+/gi, decodeBytes)
    if (decoded === text) return false
    text = decoded
  }
  return true
}

/** Never fails: what is no UTF-8 becomes a sign that shapes no path. */
const decodeBytes = (codes: string): string =>
  new TextDecoder().decode(Uint8Array.from(codes.slice(1).split('%'), (code) => Number.parseInt(code, 16)))
