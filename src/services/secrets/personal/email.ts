/** Addresses of mail (RFC 5322 §3.4.1, dot-atom form; international ones of RFC 6531 too). */

import { isAlnum } from '../edges.ts'
import { RANK } from '../rule.ts'
import type { PersonalRule, Span } from '../rule.ts'

const MAX_LOCAL = 64
const isLocal = new Uint8Array(128)
for (const char of ".!#$%&*+/=?^_{|}~-'") isLocal[char.charCodeAt(0)] = 1
// Letters of Latin, Greek and Cyrillic beyond ASCII.
const isWideLetter = (code: number): boolean => code >= 0xc0 && code <= 0x52f && code !== 0xd7 && code !== 0xf7
const isLocalChar = (code: number): boolean => isAlnum(code) || (code < 128 ? isLocal[code] === 1 : isWideLetter(code))

const ASCII_DOMAIN = /(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.){1,8}(?:xn--[a-z0-9-]{2,59}|[A-Za-z]{2,24})(?![A-Za-z0-9_-]|\.[A-Za-z0-9])/y
const WIDE_DOMAIN = /(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.){1,8}\p{L}{2,24}(?![\p{L}\p{N}_-])/uy
const LITERAL = /\[(?:\d{1,3}(?:\.\d{1,3}){3}|IPv6:[0-9A-Fa-f:.]{2,45})\]/y
// Endings of file names and code, which stand after an `@` in image densities, version pins and labels.
const NOT_A_HOST = /(?:^\d+x\.[a-z]+$|\.(?:png|jpe?g|gif|webp|svg|avif|bmp|ico|s?css|less|[cm]?[jt]sx?|json5?|html?|xml|ya?ml|toml|lock|tgz|whl|exe|dll|pdf|docx?|xlsx?|pptx?|txt|csv|log|local(?:host)?|internal|test\d|min|map|d|beta|alpha|rc|next|canary|snapshot|tar|jar|war|class|java|kt|go|rb|php|c|h|cpp|hpp)$)/i
const NOT_A_PERSON = /^(?:git|hg|svn|this|super|return|break|continue|root|ubuntu|ec2-user|admin|deploy)$/i

function startOfLocal(text: string, at: number): number | undefined {
  let start = at
  while (at - start < MAX_LOCAL && isLocalChar(text.charCodeAt(start - 1))) start -= 1
  // Marks that more often stand before an address than begin one, and what a query string or a path puts before it.
  const cut = Math.max(...['=', '/', '&', '?', '|', '{', '}', '*', '$'].map((mark) => text.slice(start, at).lastIndexOf(mark)))
  start += cut + 1
  while (start < at && /[.'!#^~%-]/.test(text.charAt(start))) start += 1
  return start === at || text[at - 1] === '.' ? undefined : start
}

function endOfDomain(text: string, from: number): number | undefined {
  for (const pattern of [ASCII_DOMAIN, WIDE_DOMAIN, LITERAL]) {
    pattern.lastIndex = from
    if (pattern.test(text)) return pattern.lastIndex
  }
  return undefined
}

function findEmail(text: string, at: number): Span | undefined {
  if (!isLocalChar(text.charCodeAt(at - 1))) return undefined
  const end = endOfDomain(text, at + 1)
  const start = end === undefined ? undefined : startOfLocal(text, at)
  if (end === undefined || start === undefined) return undefined
  const [local, domain] = [text.slice(start, at), text.slice(at + 1, end)]
  if (NOT_A_HOST.test(domain) || local.includes('..')) return undefined
  // A login on a host: `git@host:path`, `ssh://user@host`, `pkg@npm:…`.
  if (/:\/\/(?:[^\s/@]{0,64}:)?$/.test(text.slice(Math.max(0, start - 68), start)) || (NOT_A_PERSON.test(local) && /^[:/]/.test(text.slice(end, end + 1)))) return undefined
  return /^(?:git|this|super|return)$/.test(local) ? undefined : { start, end }
}

export const EMAIL: PersonalRule = {
  type: 'EMAIL', kind: 'personal', rank: RANK.email, onAt: findEmail,
  yes: ['Write to «jane.roe|@example.com» today', '<«JANE|@EXAMPLE.ORG»>', '«j+tag_1|@mail.example.co.uk»,', 'mailto:«a.b|@example.net»?subject=x', '{"email":"«x_y|@example.com»"}', 'contact:«jane|@example.travel».', 'to=«jane|@example.com»&x=1', '«jané|@exämple.de»', "«o'neil|@example.ie»", '«jane|@[192.0.2.1]»'],
  no: ['npm i left-pad@1.3.0', '@decorator def f(): pass', 'a@b', 'foo@', '@media (min-width: 1px)', 'bundle.min.js@sha256:abc', 'actions/checkout@v4', 'git@github.com:org/repo.git', 'icon@2x.png', 'ssh://deploy@host.example/x', 'react@next', 'this@Main.run', '@scope/name@1.2.3-beta.1', 'user@localhost'],
}
