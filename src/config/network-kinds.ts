/**
 * The kinds of setting that name a place on a network: URLs, hosts, ports, origins, address blocks.
 * Credentials are never part of one, except in a connection string, which is declared as a secret.
 */

import { integer } from './kinds.ts'
import type { Kind } from './kinds.ts'
import { shaped } from './text-kinds.ts'

/** A TCP port. */
export const tcpPort = (): Kind<number> => integer({ min: 1, max: 65_535 })

/** An http or https URL without credentials or fragment. */
export const webUrl = (): Kind<string> =>
  shaped({
    pattern: /^https?:\/\/[^\s/?#@\\]+(?:[/?][^\s#]*)?$/,
    accepts: 'an http or https URL without credentials or fragment',
    also: (text) => URL.canParse(text),
  })

/** A connection string: a scheme, then whatever the driver reads. */
export const connection = (example: string): Kind<string> =>
  shaped({ pattern: /^[A-Za-z][A-Za-z0-9+.-]*:[^\s]+$/, accepts: `a connection URL such as ${example}` })

/** Whether a URL could name it as its host; IPv6 with or without brackets. */
const isHost = (text: string): boolean => {
  const bare = text.replace(/^\[(.*)\]$/, '$1')
  return URL.canParse(bare.includes(':') ? `http://[${bare}]/` : `http://${text}/`)
}

/** A host name or IP address without a port. */
export const host = (): Kind<string> =>
  shaped({
    pattern: /^(?:[A-Za-z0-9_](?:[A-Za-z0-9._-]*[A-Za-z0-9])?|\[?[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*\]?)$/,
    accepts: 'a host name or an IP address, without port or scheme',
    max: 255,
    also: isHost,
  })

/** A host name, an IP address, or `*.` and a name for everything below it. */
export const hostPattern = (): Kind<string> =>
  shaped({
    pattern: /^(?:(?:\*\.)?[A-Za-z0-9_](?:[A-Za-z0-9._-]*[A-Za-z0-9])?|\[?[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*\]?)$/,
    accepts: 'a host name, an IP address, or *. and a host name; no port, no scheme',
    max: 255,
    also: (text) => isHost(text.replace(/^\*\./, '')),
  })

const HOST = String.raw`(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9_](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)`

/** Whether the host could be one, and the port, where there is one, is from 1 to 65535. */
const isEndpoint = (text: string): boolean => {
  const port = /:(\d{1,5})$/.exec(text)?.[1]
  const inRange = port === undefined || (Number(port) >= 1 && Number(port) <= 65_535)
  return inRange && URL.canParse(`http://${text}/`)
}

/** A value of the Host header (RFC 9110 §7.2): a host, with a port where one is sent. */
export const hostHeader = (): Kind<string> =>
  shaped({
    pattern: new RegExp(String.raw`^${HOST}(?::\d{1,5})?$`),
    accepts: 'a host with an optional port, such as mcp.example.com or localhost:8000 (IPv6 in brackets)',
    max: 262,
    also: isEndpoint,
  })

/** One exact host and port. */
export const hostPort = (): Kind<string> =>
  shaped({
    pattern: new RegExp(String.raw`^${HOST}:\d{1,5}$`),
    accepts: 'an exact host:port such as 127.0.0.1:11434 (IPv6 in brackets)',
    max: 262,
    also: isEndpoint,
  })

/** A web origin (RFC 6454 §6.2): scheme, host and port, no path. */
export const origin = (): Kind<string> =>
  shaped({
    pattern: /^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^\s/?#@,\\]+$/,
    accepts: 'an origin such as https://app.example.com, without a path or a closing slash',
    max: 512,
  })

/** An absolute URL that other URLs may start with; the host may begin with `*.`. */
export const urlPrefix = (): Kind<string> =>
  shaped({
    pattern: /^[Hh][Tt][Tt][Pp][Ss]?:\/\/(?:\*\.)?[^\s/?#@*,\\]+(?:\/[^\s?#,\\]*)?$/,
    accepts: 'an absolute http or https URL prefix without credentials, query or fragment',
    also: (text) => URL.canParse(text.replace('://*.', '://')),
  })

/** An IP address or a CIDR block. */
export const network = (): Kind<string> =>
  shaped({
    pattern:
      /^(?:\d{1,3}(?:\.\d{1,3}){3}(?:\/(?:3[0-2]|[12]?\d))?|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*(?:\/(?:12[0-8]|1[01]\d|\d{1,2}))?)$/,
    accepts: 'an IP address or a CIDR block such as 10.0.0.0/8',
    max: 64,
    also: (text) => isHost(text.split('/')[0] ?? ''),
  })

/** A domain, with or without `https://` in front. */
export const domain = (): Kind<string> =>
  shaped({
    pattern: /^(?:https:\/\/)?[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?(?::\d{1,5})?\/?$/,
    accepts: 'a domain such as example.authkit.app, with or without https:// in front',
    max: 270,
    also: (text) => isEndpoint(text.replace(/^https:\/\//, '').replace(/\/$/, '')),
  })
