/** Which targets a link or an image may have, judged on the decoded target, the way a browser reads it. */

import { cleanText } from './clean-text.ts'

const SCHEME = /^([a-z][a-z0-9+.-]*):/i
// A browser drops controls and blanks around and inside a scheme (WHATWG URL, "basic URL parser").
const IGNORED = /[\p{White_Space}\p{Cc}\p{Cf}]/gu
/** A host without a scheme: browsers take either slash for the other, and Windows opens a share. */
const HOST_FIRST = /^[/\\]{2}/
const ESCAPED = /%([0-9a-f]{2})/gi

/** @returns the target without hidden characters when it is http, https or relative and names no host; otherwise undefined. */
export function linkTarget(url: string): string | undefined {
  // Read once as it stands and once unescaped: some renderers decode before they look.
  const spellings = [url, url.replace(ESCAPED, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))]
  return spellings.every((spelling) => mayBeLinked(spelling.replace(IGNORED, ''))) ? oneLine(url) : undefined
}

function mayBeLinked(target: string): boolean {
  const scheme = SCHEME.exec(target)?.[1]?.toLowerCase()
  return scheme === undefined ? !HOST_FIRST.test(target) : scheme === 'http' || scheme === 'https'
}

/** @returns the target, normalised, when it is http or https on exactly one of the hosts and without credentials. */
export function imageTarget(url: string, hosts: readonly string[]): string | undefined {
  if (hosts.length === 0 || !URL.canParse(url)) return undefined
  const { protocol, username, password, hostname, href } = new URL(url)
  const isPlain = (protocol === 'https:' || protocol === 'http:') && username === '' && password === ''
  return isPlain && hosts.some((host) => host.toLowerCase() === hostname) ? href : undefined
}

/** Titles, labels and targets stand on one line. */
export const oneLine = (text: string): string => cleanText(text).replace(/[\t\r\n ]+/g, ' ').trim()
