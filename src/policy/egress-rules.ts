/**
 * Which URLs may leave, before anything is resolved: shape, scheme, host list, port list.
 * One parser (WHATWG URL) reads every URL, so no two parts of the server can disagree about its host.
 */

import type { Refusal } from '../kernel/refusal.ts'
import { refusal } from '../kernel/refusal.ts'
import { parseAddress } from './address.ts'

/** UTF-16 units of a URL, before and after normalisation. */
export const MAX_URL_LENGTH = 2048
const DEFAULT_PORTS: readonly number[] = [80, 443]
/** What a URL parser drops, trims or takes for a slash in silence: before the query, a backslash is one. */
const AMBIGUOUS = /\p{Cc}|^ | $|^[^?#]*\\/u
/** Characters that would make a host text read as something other than a host. */
const NOT_A_HOST = /[\p{Cc}\s/\\?#@%*]/u

/** What a deployment lets out. A missing list means the default; an empty one allows nothing. */
export interface EgressPolicy {
  /** Exact names, or `*.` and a name for one or more labels before it. Default: any host. */
  readonly allowedHosts?: readonly string[] | undefined
  /** Default: 80 and 443. */
  readonly allowedPorts?: readonly number[] | undefined
}

const tryUrl = (text: string, base?: URL): URL | undefined => {
  try {
    return new URL(text, base)
  } catch {
    return undefined
  }
}

/** The host of a URL without the brackets of an IPv6 literal. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '')

/** The port that will be dialled, the scheme's own where the URL names none. */
export const portOf = (url: URL): number => Number(url.port || (url.protocol === 'https:' ? 443 : 80))

/**
 * An absolute http or https URL with a host and no userinfo, one trailing dot removed, or the refusal
 * (`egress.url`, `egress.scheme`) that says why not. With a `base`, reads a redirect target (RFC 9110 §10.2.2).
 */
export const parseEgressUrl = (raw: string, base?: URL): URL | Refusal => {
  if (raw.length > MAX_URL_LENGTH) return refusal('egress.url', 'use a URL of at most 2048 characters', 'length')
  if (AMBIGUOUS.test(raw)) return refusal('egress.url', 'percent-encode backslashes, and leave out control characters and blanks around the URL', 'characters')
  const url = tryUrl(raw, base)
  if (url === undefined) return refusal('egress.url', 'use an absolute http or https URL', 'syntax')
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return refusal('egress.scheme', undefined, 'scheme')
  if (url.username !== '' || url.password !== '') {
    return refusal('egress.url', 'leave user name and password out of the URL', 'userinfo')
  }
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.slice(0, -1)
  if (url.hostname.split('.').includes('')) return refusal('egress.url', 'the host name has an empty label', 'host')
  if (url.href.length > MAX_URL_LENGTH) return refusal('egress.url', 'the encoded URL is too long', 'length')
  return url
}

/** A host in the one spelling that comparisons use: lower case, ToASCII (UTS 46), no trailing dot, no brackets. */
const canonicalHost = (text: string): string | undefined => {
  if (NOT_A_HOST.test(text)) return undefined
  const bare = text.replace(/^\[(.*)\]$/, '$1')
  const isIpv6 = parseAddress(bare)?.length === 16
  if (bare.includes(':') && !isIpv6) return undefined
  const url = tryUrl(isIpv6 ? `http://[${bare}]/` : `http://${text}/`)
  const host = url === undefined ? '' : hostOf(url).replace(/\.$/, '')
  return host.includes(':') || !host.split('.').includes('') ? host : undefined
}

interface HostPattern {
  readonly name: string
  readonly isWildcard: boolean
}

const parseHostPattern = (pattern: string): HostPattern | undefined => {
  const isWildcard = pattern.startsWith('*.')
  const name = canonicalHost(isWildcard ? pattern.slice(2) : pattern)
  if (name === undefined || (isWildcard && parseAddress(name) !== undefined)) return undefined
  return { name, isWildcard }
}

/** Whether a list entry is one that can match: a host name, an address, or `*.` and a name; no port, no path. */
export const isHostPattern = (pattern: string): boolean => parseHostPattern(pattern) !== undefined

/** Exact match, or one or more labels before the name for `*.name`. A malformed pattern or host matches nothing. */
export const matchesHost = (pattern: string, host: string): boolean => {
  const parsed = parseHostPattern(pattern)
  const name = canonicalHost(host)
  if (parsed === undefined || name === undefined) return false
  return parsed.isWildcard ? name.endsWith(`.${parsed.name}`) : name === parsed.name
}

/** The refusal (`egress.host`, `egress.port`) that the lists demand for a parsed URL, if any. */
export const checkDestination = (url: URL, { allowedHosts, allowedPorts }: EgressPolicy): Refusal | undefined => {
  if (allowedHosts !== undefined && !allowedHosts.some((pattern) => matchesHost(pattern, hostOf(url)))) {
    return refusal('egress.host', undefined, 'not-listed')
  }
  if (!(allowedPorts ?? DEFAULT_PORTS).includes(portOf(url))) return refusal('egress.port', undefined, 'not-listed')
  return undefined
}

/** One exact endpoint; the host as `hostOf` spells it. */
export interface Endpoint {
  readonly host: string
  readonly port: number
}

/** A configured `host:port` (IPv6 in brackets), or undefined when it is not exactly that. */
export const parseEndpoint = (text: string): Endpoint | undefined => {
  const [, name = '', digits = ''] = /^(\[[^\]]+\]|[^:[\]]+):(\d{1,5})$/.exec(text) ?? []
  const host = canonicalHost(name)
  const port = Number(digits)
  return host === undefined || port < 1 || port > 65_535 ? undefined : { host, port }
}
