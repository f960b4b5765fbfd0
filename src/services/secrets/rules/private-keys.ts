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

function findPem(text: string, at: number): Span | undefined {
  const from = stick(HEADER, text, at)
  if (from === at) return undefined
  const { end, size, longest } = body(text, from)
  if (size < MIN_BODY || longest < MIN_BODY_PIECE) return undefined
  // A checksum of PGP armour, which begins with `=`, may stand between.
  const dashes = stick(BREAK, text, stick(LAST_PIECE, text, stick(/=?/y, text, stick(BREAK, text, end))))
  for (const before of [stick(BREAK, text, end), dashes]) {
    const whole = stick(END, text, before)
    if (whole > before) return { start: at, end: whole }
  }
  return { start: at, end }
}

function findPutty(text: string, at: number): Span | undefined {
  const from = stick(/Private-Lines: \d{1,3}/y, text, at)
  if (from === at) return undefined
  const start = stick(BREAK, text, from)
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

/** @returns where a private key begins that goes on at the end of the text. */
export function openKeyAt(text: string): number | undefined {
  const at = Math.max(text.lastIndexOf(BEGIN), text.lastIndexOf('Private-Lines: '))
  if (at < 0) return undefined
  const isPem = text.startsWith(BEGIN, at)
  const from = isPem ? stick(HEADER, text, at) : stick(/Private-Lines: \d{1,3}/y, text, at)
  if (from === at) return undefined
  const { end } = body(text, from)
  const rest = stick(BREAK, text, end)
  const endsHere = text.length - rest <= 'xxxxxxxxxxxxxxx'.length || (isPem && text.length - rest < 70 && text.startsWith('-----E', rest) && stick(END, text, rest) === rest)
  return endsHere ? at : undefined
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
