/** Credentials in HTTP header fields (RFC 9110 §11.6.2, RFC 6750 §2.1, RFC 6265 §4) and on command lines. */

import { opensAt } from '../edges.ts'
import { entropy, isPlaceholder, isWordy } from '../likelihood.ts'
import { RANK } from '../rule.ts'
import type { Anchor, SecretRule, Span } from '../rule.ts'

const AUTHORIZATION = /authorization\\{0,3}["'`]?\]?[ \t]{0,4}[:=,][ \t]{0,4}\\{0,3}["'`]?[ \t]{0,4}(?:(bearer|basic|token|digest|negotiate|apikey|api-key|key|dpop|splunk|bot|ssws|oauth)[ \t]{1,4})?([A-Za-z0-9._~+/-]{6,16384}={0,2})/iy
const BARE_BEARER = /bearer[ \t]{1,4}([A-Za-z0-9._~+/-]{16,8192}={0,2})/iy
const BARE_BASIC = /basic[ \t]{1,4}([A-Za-z0-9+/]{12,1024}={0,2})/iy

/** The password of base64 user information, if it is that. */
function basicPassword(value: string): string | undefined {
  const plain = Buffer.from(value, 'base64').toString('latin1')
  return /^[\x20-\x7e\xa0-\xff]{1,128}:[\x20-\x7e\xa0-\xff]+$/.test(plain) ? plain.slice(plain.indexOf(':') + 1) : undefined
}

const isToken = (value: string): boolean => !isPlaceholder(value) && !isWordy(value) && entropy(value) >= 2.2

const last = (pattern: RegExp, value: string): Span => ({ start: pattern.lastIndex - value.length, end: pattern.lastIndex })

function findAuthorization(text: string, at: number): Span | undefined {
  AUTHORIZATION.lastIndex = at
  const [, scheme = '', raw] = AUTHORIZATION.exec(text) ?? []
  if (raw === undefined) return undefined
  const tail = /\.+$/.exec(raw)?.[0].length ?? 0
  const value = raw.slice(0, raw.length - tail)
  const span = { start: AUTHORIZATION.lastIndex - raw.length, end: AUTHORIZATION.lastIndex - tail }
  if (scheme.toLowerCase() === 'basic') {
    const password = basicPassword(value)
    return password === undefined ? (value.length >= 12 && isToken(value) ? span : undefined) : isPlaceholder(password) ? undefined : span
  }
  // Without a scheme it may be anything, such as the name of a policy or a header of another field.
  const isLong = scheme !== '' || value.length >= 16
  return isLong && isToken(value) && !/^[\w.]*\($/.test(text.slice(span.start, span.end + 1)) ? span : undefined
}

function findBearer(text: string, at: number): Span | undefined {
  BARE_BEARER.lastIndex = at
  const value = opensAt(text, at) ? BARE_BEARER.exec(text)?.[1] : undefined
  return value !== undefined && isToken(value) && entropy(value) >= 3 ? last(BARE_BEARER, value) : undefined
}

function findBasic(text: string, at: number): Span | undefined {
  BARE_BASIC.lastIndex = at
  const value = opensAt(text, at) ? BARE_BASIC.exec(text)?.[1] : undefined
  const password = value === undefined ? undefined : basicPassword(value)
  return value === undefined || password === undefined || isPlaceholder(password) ? undefined : last(BARE_BASIC, value)
}

const COOKIE = /(?:set-)?cookie\\{0,3}["'`]?[ \t]{0,4}[:=][ \t]{0,4}\\{0,3}["'`]?(?:[^=;\s"'`]{1,64}=[^;\s"'`]{0,256};[ \t]?){0,6}?[^=;\s"'`]{0,40}(?:sess|sid|auth|token|jwt|csrf|remember)[^=;\s"'`]{0,24}=([^;\s"'`]{16,4096})/iy

function findCookie(text: string, at: number): Span | undefined {
  COOKIE.lastIndex = at
  const value = COOKIE.exec(text)?.[1]
  return value !== undefined && isToken(value) && entropy(value) >= 3 ? last(COOKIE, value) : undefined
}

const CURL_USER = /curl[ \t][^\r\n|;]{0,300}?[ \t](?:-u|--user|--proxy-user|-U)[ =]{0,2}["']?[^\s:"']{1,64}:([^\s"']{3,128})/y
const SSHPASS = /sshpass[ \t]{1,4}-p[ =]?["']?([^\s"']{4,128})/y
const SQL_LOGIN = /(?:mysql|mysqldump|mysqladmin|mariadb)[ \t][^\r\n|;]{0,200}?[ \t]-p["']?([^\s"']{6,128})/y
const REDIS_LOGIN = /redis-cli[ \t][^\r\n|;]{0,200}?[ \t]?(?:-a|--pass)[ =]["']?([^\s"']{6,128})/y
const DOCKER_LOGIN = /(?:docker|podman|helm|oras|crane|az|oc)[ \t](?:registry |acr |auth )?login[ \t][^\r\n|;]{0,200}?[ \t]?(?:-p|--password)[ =]["']?([^\s"']{6,256})/y
const NETRC = /machine[ \t]{1,4}[^\s]{1,253}\s{1,8}login[ \t]{1,4}[^\s]{1,128}\s{1,8}password[ \t]{1,4}([^\s]{4,256})/y

const command = (literal: string, pattern: RegExp): Anchor => ({
  literal,
  find(text, at) {
    pattern.lastIndex = at
    const value = opensAt(text, at) ? pattern.exec(text)?.[1] : undefined
    return value === undefined || isPlaceholder(value) || value.startsWith('$') ? undefined : last(pattern, value)
  },
})

export const HEADERS: readonly SecretRule[] = [
  {
    type: 'AUTHORIZATION', kind: 'secret', rank: RANK.header,
    anchors: [{ literal: 'authorization', anyCase: true, find: findAuthorization }, { literal: 'bearer ', anyCase: true, find: findBearer }, { literal: 'basic ', anyCase: true, find: findBasic }],
    yes: ['Authorization: Bearer «{an32}»\nAccept: x', '{"authorization":"token «{an24}»"}', "-H 'Authorization: «{an40}»'", 'Authorization: Basic «c3ZjOnRyMHViYWRvdXI5Kg==»', 'curl -H "X: Bearer «{an40}»"'],
    no: ['Authorization: Bearer <token>', 'Authorization: Bearer $TOKEN', 'Authorization: Basic dXNlcjpwYXNzd29yZA==', 'The bearer tokens of a caller', 'authorization: RoleBasedAccessControlPolicy', 'Bearer authentication_is_required_here'],
  },
  {
    type: 'SESSION_COOKIE', kind: 'secret', rank: RANK.header,
    anchors: [{ literal: 'cookie', anyCase: true, find: findCookie }],
    yes: ['Cookie: theme=dark; sessionid=«{an32}»; x=1', 'Set-Cookie: connect.sid=«s%3A{an32}.{an43}»; Path=/'], no: ['Cookie: theme=dark', 'cookie: session=<value>'],
  },
  {
    type: 'COMMAND_LINE_PASSWORD', kind: 'secret', rank: RANK.header,
    anchors: [command('curl ', CURL_USER), command('curl\t', CURL_USER), command('sshpass', SSHPASS), command('mysql', SQL_LOGIN), command('mariadb', SQL_LOGIN), command('redis-cli', REDIS_LOGIN),
      ...['docker', 'podman', 'helm', 'oras', 'crane', 'az login', 'az acr', 'oc login'].map((tool) => command(tool, DOCKER_LOGIN)), command('machine', NETRC)],
    yes: ['curl -s -u app:«{an12}» https://api.example', 'sshpass -p «{an10}» ssh host', 'mysql -u app -p«{an12}» app', 'machine git.example login ada password «{an14}»', 'docker login -u ada -p «{an20}» registry.example'],
    no: ['curl -s -u user:password https://api.example', 'curl -u "$USER:$PASS" https://api.example', 'mysql -u app -p app', 'docker login registry.example'],
  },
]
