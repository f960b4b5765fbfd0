/** Private keys as a whole: PEM of every kind, also cut off or written on one line, PGP, PuTTY, age and JWK. */

import { tokens } from '../format.ts'
import { RANK } from '../rule.ts'
import type { SecretRule, Span } from '../rule.ts'

const BEGIN = '-----BEGIN '
const HEADER = /-----BEGIN (?:[A-Z0-9]{1,12} ){0,4}PRIVATE KEY(?: BLOCK)?-----/y
const END = /-----END [A-Z0-9 ]{0,60}-----/y
// What stands between two pieces of a body: line ends, also written out, indentation, quotes, and joining marks.
const BREAK = /(?:\\{1,3}[rn]|[\s"'`>|,+*#\\]){1,200}/y
const FULL_PIECE = /[A-Za-z0-9+/=]{16,}/y
const LAST_PIECE = /[A-Za-z0-9+/]{1,15}={0,2}(?![A-Za-z0-9])/y
const NOTE = /(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset|MessageID): [^\r\n\\]{0,200}/y
const NOTE_BEGINS = /^[A-Z][A-Za-z-]{2,12}(?::[^\r\n]*)?$/
const MAX_LAST_PIECE = 15
const MIN_BODY = 40
const MIN_BODY_PIECE = 24

const stick = (pattern: RegExp, text: string, at: number): number => {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : at
}

interface Body {
  readonly end: number
  /** Characters of key material, and of its longest unbroken piece. */
  readonly size: number
  readonly longest: number
}

/** Follows lines of key material from `at`. A short piece is only the last line of a body. */
function body(text: string, at: number): Body {
  let [end, size, longest] = [at, 0, 0]
  for (;;) {
    const from = stick(BREAK, text, end)
    const note = stick(NOTE, text, from)
    if (note > from) {
      end = note
      continue
    }
    // Padding ends a body.
    if (text[end - 1] === '=' && size > 0) return { end, size, longest }
    const full = stick(FULL_PIECE, text, from)
    if (full === from) {
      const last = size > 0 ? stick(LAST_PIECE, text, from) : from
      const isWord = /^(?:[A-Z]?[a-z]{2,}|[a-z]{1,2})$/.test(text.slice(from, last))
      return { end: last > from && !isWord ? last : end, size, longest }
    }
    size += full - from
    longest = Math.max(longest, full - from)
    end = full
  }
}

/** What stands between the key material and its end line: line breaks, and the checksum of PGP armour (RFC 4880 §6.1). */
const beforeEnd = (text: string, end: number): number =>
  stick(BREAK, text, stick(/=[A-Za-z0-9+/]{0,4}/y, text, stick(BREAK, text, end)))

function findPem(text: string, at: number): Span | undefined {
  const from = stick(HEADER, text, at)
  if (from === at) return undefined
  const { end, size, longest } = body(text, from)
  if (size < MIN_BODY || longest < MIN_BODY_PIECE) return undefined
  const dashes = beforeEnd(text, end)
  const whole = stick(END, text, dashes)
  return { start: at, end: whole > dashes ? whole : end }
}

function findPutty(text: string, at: number): Span | undefined {
  const from = stick(/Private-Lines: \d{1,3}/y, text, at)
  if (from === at) return undefined
  const start = stick(/\s{1,8}/y, text, from)
  const { end, size } = body(text, from)
  return size >= MIN_BODY ? { start, end } : undefined
}

const JWK_REACH = 2_048
const JWK_MEMBER = /"(?:d|p|q|dp|dq|qi|k)"\s{0,4}:\s{0,4}"([A-Za-z0-9_-]{20,1400})"/y

/** A private member of a JSON Web Key (RFC 7517 §4, RFC 7518 §6). */
function findJwk(text: string, at: number): Span | undefined {
  JWK_MEMBER.lastIndex = at
  const value = JWK_MEMBER.exec(text)?.[1]
  if (value === undefined || !text.slice(Math.max(0, at - JWK_REACH), at + JWK_REACH).includes('"kty"')) return undefined
  return { start: JWK_MEMBER.lastIndex - 1 - value.length, end: JWK_MEMBER.lastIndex - 1 }
}

const LONGEST_END = 80

/** @returns where a private key begins that may go on after the end of the text. */
export function openKeyAt(text: string): number | undefined {
  const at = Math.max(text.lastIndexOf(BEGIN), text.lastIndexOf('Private-Lines: '))
  if (at < 0) return undefined
  const isPem = text.startsWith(BEGIN, at)
  const from = stick(isPem ? HEADER : /Private-Lines: \d{1,3}/y, text, at)
  if (from === at) return undefined
  const rest = text.slice(beforeEnd(text, body(text, from).end))
  const mayContinue = rest.length <= MAX_LAST_PIECE || (rest.length < LONGEST_END && NOTE_BEGINS.test(rest))
  const mayEnd = isPem && rest.length < LONGEST_END && /^-----END [A-Z0-9 ]*-{0,4}$/.test(rest)
  return mayContinue || mayEnd ? at : undefined
}

const KEY_LINE = '{base64}'
const pem = (label: string, close = true): string =>
  `«-----BEGIN| ${label}-----\n${KEY_LINE}\n${KEY_LINE}\n{base40}=${close ? `\n-----END| ${label}-----` : ''}»`

export const PRIVATE_KEYS: readonly SecretRule[] = [
  {
    type: 'PRIVATE_KEY', kind: 'secret', rank: RANK.privateKey,
    anchors: [{ literal: BEGIN, find: findPem }],
    yes: [
      ...['RSA ', 'EC ', 'DSA ', 'OPENSSH ', 'ENCRYPTED ', ''].map((kind) => pem(`${kind}PRIVATE KEY`)),
      '«-----BEGIN| PGP PRIVATE KEY BLOCK-----\nVersion: GnuPG v2\n\n{base64}\n{base64}\n=aB3d\n-----END| PGP PRIVATE KEY BLOCK-----»',
      '{"private_key": "«-----BEGIN| PRIVATE KEY-----\\n{base64}\\n{base64}\\n-----END| PRIVATE KEY-----»\\n"}',
      `log ${pem('RSA PRIVATE KEY', false)}`,
      `  key: |\n    «-----BEGIN| RSA PRIVATE KEY-----\n    {base64}\n    {base64}\n    -----END| RSA PRIVATE KEY-----»\n  next: 1`,
    ],
    no: ['-----BEGIN| PUBLIC KEY-----\n{base64}\n{base64}\n-----END| PUBLIC KEY-----', '-----BEGIN| CERTIFICATE-----\n{base64}\n-----END| CERTIFICATE-----',
      'A file starts with -----BEGIN| PRIVATE KEY----- and ends with -----END| PRIVATE KEY-----.', '-----BEGIN| RSA PRIVATE KEY-----\n...\n-----END| RSA PRIVATE KEY-----'],
  },
  {
    type: 'PUTTY_PRIVATE_KEY', kind: 'secret', rank: RANK.privateKey,
    anchors: [{ literal: 'Private-Lines: ', find: findPutty }],
    yes: ['Private-Lines: 2\n«{base64}\n{base64}»\nPrivate-MAC: x'], no: ['Private-Lines: 2\n...'],
  },
  {
    type: 'JWK_PRIVATE_MEMBER', kind: 'secret', rank: RANK.privateKey,
    anchors: ['"d"', '"p"', '"q"', '"dp"', '"dq"', '"qi"', '"k"'].map((literal) => ({ literal, find: findJwk })),
    yes: ['{"kty":"EC","crv":"P-256","d":"«{url43}»"}'], no: ['{"kty":"EC","crv":"P-256","x":"{url43}","y":"{url43}"}', '{"d":"{url43}"}'],
  },
  tokens({ type: 'AGE_SECRET_KEY', of: ['AGE-SECRET-KEY-1{bech58}', 'AGE-SECRET-KEY-1{up40,70}'] }),
]
