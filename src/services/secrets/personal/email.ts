/** Addresses of mail (RFC 5322 §3.4.1; international ones of RFC 6531 too). */

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
// Endings of file names, units of systemd, and code, which stand after an `@` in image densities, version pins, instances and labels.
const NOT_A_HOST = /(?:^\d+x\.[a-z]+$|\.(?:png|jpe?g|gif|webp|svg|avif|bmp|ico|s?css|less|[cm]?[jt]sx?|json5?|html?|xml|ya?ml|toml|lock|tgz|whl|exe|dll|pdf|docx?|xlsx?|pptx?|txt|csv|log|localhost|cluster\.local|internal|test\d|min|map|d|beta|alpha|rc|next|canary|snapshot|tar|jar|war|class|java|kt|go|rb|php|c|h|cpp|hpp|service|socket|(?:auto)?mount|target|timer|slice|scope|swap|path|device)$)/i
// What stands before a host and a path, by whom it is: a repository's login or a word of code, and an account of a machine.
const NOT_A_PERSON = [
  { local: /^(?:git|hg|svn|this|super|return|break|continue)$/i, rest: /^[:/]/ },
  { local: /^(?:root|ubuntu|ec2-user|admin|deploy)$/i, rest: /^:[~/.\w]/ },
]
// A prompt or a copy on the local network (RFC 6762), whoever it is.
const PLACE = /\.local:[~/]$/i
// Of a shell, with a dollar sign or between percent signs.
const VARIABLE = /^[A-Z][A-Z0-9_]*%?$/
// Letters of scripts without blanks between words: there the domain has to be of the kind too.
const WIDE_LOCAL = /[\p{L}\p{N}][\p{L}\p{M}\p{N}._+-]{0,30}$/u
const WIDE_TOP = /\.(?:[a-z]{2,24}|公司|网络|網絡|中国|中國|香港|台灣|台湾|集团|在线|中文网|网址|商城|みんな|コム|한국|닷컴|भारत|संगठन|คอม|ไทย|مصر|السعودية|قطر|ישראל|קום)$/iu
const QUOTED = /(?<![\p{L}\p{N}\\])"[^"\\<>()[\]{}=:,;\p{Cc}]{1,64}"$/u

function startOfLocal(text: string, at: number): number | undefined {
  let start = at
  while (at - start < MAX_LOCAL && isLocalChar(text.charCodeAt(start - 1))) start -= 1
  // Marks that more often stand before an address than begin one, and what a query string or a path puts before it.
  const cut = Math.max(...['=', '/', '&', '?', '|', '{', '}', '*', '$'].map((mark) => text.slice(start, at).lastIndexOf(mark)))
  start += cut + 1
  while (start < at && /[.'!#^~%-]/.test(text.charAt(start))) start += 1
  return start === at || text[at - 1] === '.' ? undefined : start
}

/** A local part in quotation marks, or of letters beyond those of Europe. */
function startOfOther(text: string, at: number, domain: string): number | undefined {
  const near = text.slice(Math.max(0, at - MAX_LOCAL - 3), at)
  const isQuoted = near.endsWith('"')
  if (!isQuoted && !(WIDE_TOP.test(domain) && /[^ -~]/.test(domain))) return undefined
  const local = (isQuoted ? QUOTED : WIDE_LOCAL).exec(near)?.[0]
  return local === undefined ? undefined : at - local.length
}

function endOfDomain(text: string, from: number): number | undefined {
  for (const pattern of [ASCII_DOMAIN, WIDE_DOMAIN, LITERAL]) {
    pattern.lastIndex = from
    if (pattern.test(text)) return pattern.lastIndex
  }
  return undefined
}

function findEmail(text: string, at: number): Span | undefined {
  const code = text.charCodeAt(at - 1)
  const isPlain = isLocalChar(code)
  if (!isPlain && code !== 34 && !(code > 0x52f)) return undefined
  const end = endOfDomain(text, at + 1)
  if (end === undefined) return undefined
  const start = isPlain ? startOfLocal(text, at) : startOfOther(text, at, text.slice(at + 1, end))
  if (start === undefined) return undefined
  const [local, domain] = [text.slice(start, at), text.slice(at + 1, end)]
  const before = VARIABLE.test(local) && /[$%]/.test(text.charAt(start - 1)) ? start - 1 : start
  if (NOT_A_HOST.test(domain) || local.includes('..')) return undefined
  // A login on a host: `git@host:path`, `ssh://user@host`, `pkg@npm:…`, `https://x:$TOKEN@host`.
  if (/:\/\/(?:[^\s/@]{0,64}:)?$/.test(text.slice(Math.max(0, before - 68), before)) || PLACE.test(text.slice(at, end + 2))) return undefined
  if (NOT_A_PERSON.some((one) => one.local.test(local) && one.rest.test(text.slice(end, end + 2)))) return undefined
  return /^(?:git|this|super|return)$/.test(local) ? undefined : { start, end }
}

export const EMAIL: PersonalRule = {
  type: 'EMAIL', kind: 'personal', rank: RANK.email, onAt: findEmail,
  yes: ['Write to «jane.roe|@example.com» today', '<«JANE|@EXAMPLE.ORG»>', '«j+tag_1|@mail.example.co.uk»,', 'mailto:«a.b|@example.net»?subject=x', '{"email":"«x_y|@example.com»"}', 'contact:«jane|@example.travel».', 'to=«jane|@example.com»&x=1', '«jané|@exämple.de»', "«o'neil|@example.ie»", '«jane|@[192.0.2.1]»'],
  no: ['npm i left-pad@1.3.0', '@decorator def f(): pass', 'a@b', 'foo@', '@media (min-width: 1px)', 'bundle.min.js@sha256:abc', 'actions/checkout@v4', 'git@github.com:org/repo.git', 'icon@2x.png', 'ssh://deploy@host.example/x', 'react@next', 'this@Main.run', '@scope/name@1.2.3-beta.1', 'user@localhost', 'git clone https://x-access-token:$GH_TOKEN@github.com/o/r', 'https://ci:%TOKEN%@git.example/r'],
}
