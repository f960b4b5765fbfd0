/** Credentials in addresses: user information of a URL (RFC 3986 §3.2.1), database addresses, signed links. */

import { isDigit } from '../edges.ts'
import { entropy, isPlaceholder, isWordy } from '../likelihood.ts'
import { RANK } from '../rule.ts'
import type { SecretRule, Span } from '../rule.ts'

const MAX_USERINFO = 320
const [AT, COLON, SLASH] = [64, 58, 47]
const isStop = new Uint8Array(128)
for (const char of ' \t\r\n"\'`<>|\\') isStop[char.charCodeAt(0)] = 1
const endsAuthority = new Uint8Array(128)
for (const char of '/?#') endsAuthority[char.charCodeAt(0)] = 1
const MIN_LONE_TOKEN = 20

/** @returns where the user information ends. A slash, hash or question mark in a password counts although it should be encoded. */
function endOfUserinfo(text: string, from: number): number | undefined {
  let last: number | undefined
  let [hasColon, isPort, isPast] = [false, true, false]
  const limit = Math.min(text.length, from + MAX_USERINFO)
  for (let i = from; i < limit; i += 1) {
    const code = text.charCodeAt(i)
    if (isStop[code] === 1) break
    if (code === AT) {
      last = i
      if (isPast) break
    } else if (code === COLON) [hasColon, isPort] = [true, true]
    else if (endsAuthority[code] === 1) {
      if (last !== undefined || !hasColon || isPort || text.charCodeAt(i + 1) === SLASH) break
      isPast = true
    } else if (!isDigit(code)) isPort = false
  }
  return last
}

function findUserinfo(text: string, at: number): Span | undefined {
  const from = at + 3
  const end = endOfUserinfo(text, from)
  if (end === undefined || !/^[\w.[-]|^[\u00a1-\uffff]/.test(text.slice(end + 1, end + 2))) return undefined
  const info = text.slice(from, end)
  const colon = info.indexOf(':')
  if (colon < 0) {
    const isToken = info.length >= MIN_LONE_TOKEN && entropy(info) > 3 && !isWordy(info) && !isPlaceholder(info)
    return isToken && !/^[\w.-]*\bingest\b/.test(text.slice(end + 1, end + 60)) ? { start: from, end } : undefined
  }
  const [user, password] = [info.slice(0, colon), info.slice(colon + 1)]
  // Git hosts take a token as the user name, with a fixed word or nothing as its password.
  if (password === '' || password === 'x-oauth-basic' || password === 'x') {
    return user.length >= MIN_LONE_TOKEN && !isPlaceholder(user) && !isWordy(user) ? { start: from, end: from + colon } : undefined
  }
  if (password === user || isPlaceholder(password) || /^\d{1,5}$/.test(password)) return undefined
  return { start: from + colon + 1, end }
}

const DSN = /([^\s:@/"'`<>()]{1,64}):([^\s"'`<>/]{1,128})$/

/** `user:password@tcp(host:3306)/name`, as Go's MySQL driver wants it. */
function findDriverDsn(text: string, at: number): Span | undefined {
  const password = DSN.exec(text.slice(Math.max(0, at - 200), at))?.[2]
  return password === undefined || isPlaceholder(password) || password.includes('//') ? undefined : { start: at - password.length, end: at }
}

const ORACLE = /jdbc:oracle:thin:[^\s/@"']{1,64}\/([^\s@"']{1,128})@/y

function findOracle(text: string, at: number): Span | undefined {
  ORACLE.lastIndex = at
  const password = ORACLE.exec(text)?.[1]
  if (password === undefined || isPlaceholder(password)) return undefined
  return { start: ORACLE.lastIndex - 1 - password.length, end: ORACLE.lastIndex - 1 }
}

const SIGNATURE = /(?:[?&;]sig|X-Amz-Signature|X-Goog-Signature|[?&]Signature)=([A-Za-z0-9%+/_~-]{24,700}={0,2})/y

function findSignature(text: string, at: number): Span | undefined {
  SIGNATURE.lastIndex = at
  const value = SIGNATURE.exec(text)?.[1]
  if (value === undefined || isPlaceholder(value) || isWordy(value)) return undefined
  return { start: SIGNATURE.lastIndex - value.length, end: SIGNATURE.lastIndex }
}

export const URLS: readonly SecretRule[] = [
  {
    type: 'URL_CREDENTIALS', kind: 'secret', rank: RANK.url,
    anchors: [{ literal: '://', find: findUserinfo }, { literal: '@tcp(', find: findDriverDsn }, { literal: 'jdbc:oracle:thin:', find: findOracle }],
    yes: ['postgres://app:«{an14}»@db.example:5432/app', 'mongodb+srv://app:«{an9}%40{an4}»@cluster.example/x', 'redis://:«{an20}»@cache.example:6379',
      'https://oauth2:«{an24}»@git.example/org/repo.git', 'https://«{an32}»@git.example/org/repo.git', 'amqp://app:«{an5}/{an5}»@mq.example/vhost',
      'app:«{an12}»@tcp(db.example:3306)/app', 'jdbc:oracle:thin:app/«{an12}»@db.example:1521', 'postgres://app:«{an6}@{an6}»@db.example/app'],
    no: ['postgres://user:password@localhost/db', 'postgres://app:${DB_PASSWORD}@db.example/app', 'https://git.example/org/repo.git', 'https://user:pass@host.example',
      'http://host.example:8080/a@b', 'https://example.com/@scope/name', 'redis://app:<password>@cache.example', 'postgres://postgres:postgres@localhost', 'https://a.example/x?y=http://b.example:80/c@d'],
  },
  {
    type: 'SIGNED_URL', kind: 'secret', rank: RANK.url,
    anchors: ['?sig=', '&sig=', ';sig=', 'X-Amz-Signature=', 'X-Goog-Signature=', '&Signature=', '?Signature='].map((literal) => ({ literal, find: findSignature })),
    yes: ['https://x.blob.example/c?sv=2024&sig=«{base40}%2B{an2}%3D»', 'https://s3.example/o?X-Amz-Signature=«{hex64}»&x=1'], no: ['?sig=none', '&sig={x40}'],
  },
]
