/**
 * The defence against DNS rebinding: which Host and Origin headers are answered (MCP 2025-11-25, transports).
 * Lists are compared as whole names and ports, so nothing that merely starts like an entry passes.
 */

import type { RefusalCode } from '../../kernel/refusal.ts'

/** Undefined where nothing is checked. */
type Allowed = ReadonlySet<string> | undefined

export interface HostOriginGuard {
  /** @param hosts, origins every value of the field, in order. */
  check(hosts: readonly string[], origins: readonly string[]): Extract<RefusalCode, 'http.host' | 'http.origin'> | undefined
  /** Whether a page of this origin may read answers. Never, where no list says so. */
  mayRead(origin: string): boolean
  /** Names of the settings that leave a header unchecked. */
  readonly unchecked: readonly string[]
}

export interface GuardSettings {
  readonly host: string
  readonly allowedHosts: readonly string[] | undefined
  readonly allowedOrigins: readonly string[] | undefined
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i

/** @param port where the door really listens; the names derived for a loopback address carry it. */
export function createHostOriginGuard({ host, allowedHosts, allowedOrigins }: GuardSettings, port: number): HostOriginGuard {
  const derived = LOOPBACK.test(host) ? loopbackNames(host).map((name) => `${name}:${port}`) : undefined
  const hosts = setOf(allowedHosts ?? derived, (entry) => parseHost(entry))
  const origins = setOf(allowedOrigins ?? derived?.map((name) => `http://${name}`), parseOrigin)
  const unchecked = [...(hosts ? [] : ['ARROWHEAD_ALLOWED_HOSTS']), ...(origins ? [] : ['ARROWHEAD_ALLOWED_ORIGINS'])]

  return {
    unchecked,
    check(hostValues, originValues) {
      const [hostValue] = hostValues
      if (hostValues.length !== 1 || hostValue === undefined || !passesHost(hosts, hostValue)) return 'http.host'
      if (originValues.length === 0 || !origins) return undefined
      return originValues.length === 1 && isListed(origins, originValues[0]) ? undefined : 'http.origin'
    },
    mayRead: (origin) => origins !== undefined && isListed(origins, origin),
  }
}

const loopbackNames = (host: string): readonly string[] => {
  const own = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host
  return [...new Set(['127.0.0.1', 'localhost', '[::1]', own.toLowerCase()])]
}

const setOf = (list: readonly string[] | undefined, parse: (entry: string) => string | undefined): Allowed =>
  list && new Set(list.flatMap((entry) => parse(entry) ?? []))

/** Host and port in lower case, user-info and anything else refused (RFC 9110 §7.2). */
const HOST = /^(\[[0-9a-f:.]+\]|[a-z0-9_](?:[a-z0-9._-]*[a-z0-9])?)(?::(\d{1,5}))?$/

const parseHost = (value: string): string | undefined => (HOST.test(value.toLowerCase()) ? value.toLowerCase() : undefined)

function passesHost(allowed: Allowed, value: string): boolean {
  if (allowed?.has(value)) return true
  const match = HOST.exec(value.toLowerCase())
  if (!match) return false
  if (!allowed) return true
  const [whole, name = '', port] = match
  if (allowed.has(whole) || allowed.has(name)) return true
  // A client leaves out the default port of the scheme it believes to speak.
  return port === undefined && (allowed.has(`${name}:80`) || allowed.has(`${name}:443`))
}

const DEFAULT_PORT: Readonly<Record<string, string>> = { http: ':80', https: ':443' }

/** An origin in lower case, without a default port (RFC 6454 §6.2); opaque ones have no such form. */
function parseOrigin(value: string): string | undefined {
  const match = /^([a-z][a-z0-9+.-]*):\/\/([^\s/?#@,\\]+)$/.exec(value.toLowerCase())
  if (!match) return undefined
  const [whole, scheme = ''] = match
  const port = DEFAULT_PORT[scheme]
  return port !== undefined && whole.endsWith(port) ? whole.slice(0, -port.length) : whole
}

function isListed(allowed: ReadonlySet<string>, value: string | undefined): boolean {
  const origin = value === undefined ? undefined : parseOrigin(value)
  return origin !== undefined && allowed.has(origin)
}
