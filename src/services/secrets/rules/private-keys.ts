/** Private keys as a whole: PEM of every kind, also cut off or written on one line, PGP, PuTTY, age and JWK. */

import { tokens } from '../format.ts'
import { RANK } from '../rule.ts'
import type { SecretRule, Span } from '../rule.ts'

const BEGIN = '-----BEGIN '
const SSH2_BEGIN = '---- BEGIN SSH2 '
const HEADER = /-----BEGIN (?:[A-Z0-9]{1,12} ){0,4}PRIVATE KEY(?: BLOCK)?-----|---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----/y
const END = /-----END [A-Z0-9 ]{0,60}-----|---- END SSH2 ENCRYPTED PRIVATE KEY ----/y
// What stands between two pieces of a body: line ends, also written out, indentation, quotes, and joining marks.
const BREAK = /(?:\\{1,3}[rn]|[\s"'`>|,+*#\\]){1,200}/y
const FULL_PIECE = /[A-Za-z0-9+/=]{16,}/y
const LAST_PIECE = /[A-Za-z0-9+/]{1,15}={0,2}(?![A-Za-z0-9])/y
const NOTE = /(?:Proc-Type|DEK-Info|Version|Comment|Subject|Hash|Charset|MessageID): [^\r\n\\]{0,200}/y
const MIN_BODY = 40
const MIN_BODY_PIECE = 24

const stick = (pattern: RegExp, text: string, at: number): number => {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : at
}

const MAX_PREFIX = 80
const isFigure = (code: number): boolean => code >= 48 && code <= 57

/** What stands before the key on its line, and so may stand before every line of it: a comment, a mark of a diff, a file and its line, a time. */
function prefixOf(text: string, at: number): string {
  const near = text.slice(Math.max(0, at - MAX_PREFIX - 1), at)
  const feed = near.lastIndexOf('\n')
  return feed < 0 && near.length > MAX_PREFIX ? '' : near.slice(feed + 1)
}

/** @returns where the line goes on behind the prefix, in which numbers differ from line to line, and so does the mark between them. */
function afterPrefix(text: string, at: number, prefix: string): number | undefined {
  let [i, j] = [at, 0]
  while (j < prefix.length) {
    const [mine, other] = [text.charCodeAt(i), prefix.charCodeAt(j)]
    if (isFigure(mine) && isFigure(other)) {
      while (isFigure(text.charCodeAt(i))) i += 1
      while (isFigure(prefix.charCodeAt(j))) j += 1
    } else if (mine === other || ((mine === 45 || mine === 58) && (other === 45 || other === 58))) [i, j] = [i + 1, j + 1]
    // A number that is longer now takes the place of blanks.
    else if (other === 32 && isFigure(mine)) j += 1
    else if (mine === 32 && isFigure(other)) i += 1
    else return undefined
  }
  return i
}

/** Over a line end and what stands at the beginning of the next line. */
function nextLine(text: string, end: number, prefix: string): number {
  const from = stick(BREAK, text, end)
  if (prefix === '') return from
  const feed = text.slice(end, from).indexOf('\n')
  const after = feed < 0 ? undefined : afterPrefix(text, end + feed + 1, prefix)
  return after === undefined ? from : Math.max(from, stick(BREAK, text, after))
}

interface Body {
  readonly end: number
  /** Characters of key material, and of its longest unbroken piece. */
  readonly size: number
  readonly longest: number
}

/** Follows lines of key material from `at`. A short piece is only the last line of a body. */
function body(text: string, at: number, prefix = ''): Body {
  let [end, size, longest] = [at, 0, 0]
  for (;;) {
    const from = nextLine(text, end, prefix)
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
const beforeEnd = (text: string, end: number, prefix = ''): number =>
  nextLine(text, stick(/=[A-Za-z0-9+/]{0,4}/y, text, nextLine(text, end, prefix)), prefix)

function findPem(text: string, at: number): Span | undefined {
  const from = stick(HEADER, text, at)
  if (from === at) return undefined
  const prefix = prefixOf(text, at)
  const { end, size, longest } = body(text, from, prefix)
  if (size < MIN_BODY || longest < MIN_BODY_PIECE) return undefined
  const dashes = beforeEnd(text, end, prefix)
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
// The quotes may be escaped, as in a JSON text within another.
const JWK_MEMBER = /"(?:d|p|q|dp|dq|qi|k)\\{0,3}"\s{0,4}:\s{0,4}\\{0,3}"([A-Za-z0-9_-]{20,1400})(?=\\{0,3}")/y

/** A private member of a JSON Web Key (RFC 7517 §4, RFC 7518 §6). */
function findJwk(text: string, at: number): Span | undefined {
  JWK_MEMBER.lastIndex = at
  const value = JWK_MEMBER.exec(text)?.[1]
  if (value === undefined || !text.slice(Math.max(0, at - JWK_REACH), at + JWK_REACH).includes('"kty')) return undefined
  return { start: JWK_MEMBER.lastIndex - value.length, end: JWK_MEMBER.lastIndex }
}

const KEY_LINE = '{base64}'
const pem = (label: string, close = true): string =>
  `«-----BEGIN| ${label}-----\n${KEY_LINE}\n${KEY_LINE}\n{base40}=${close ? `\n-----END| ${label}-----` : ''}»`

export const PRIVATE_KEYS: readonly SecretRule[] = [
  {
    type: 'PRIVATE_KEY', kind: 'secret', rank: RANK.privateKey,
    anchors: [BEGIN, SSH2_BEGIN].map((literal) => ({ literal, find: findPem })),
    yes: [
      ...['RSA ', 'EC ', 'DSA ', 'OPENSSH ', 'ENCRYPTED ', ''].map((kind) => pem(`${kind}PRIVATE KEY`)),
      '«-----BEGIN| PGP PRIVATE KEY BLOCK-----\nVersion: GnuPG v2\n\n{base64}\n{base64}\n=aB3d\n-----END| PGP PRIVATE KEY BLOCK-----»',
      '{"private_key": "«-----BEGIN| PRIVATE KEY-----\\n{base64}\\n{base64}\\n-----END| PRIVATE KEY-----»\\n"}',
      `log ${pem('RSA PRIVATE KEY', false)}`,
      ...['k.pem:{d1}:', '  {d1}\t', '-', '// ', '2024-01-15T10:00:0{d1}Z app: '].map((prefix) =>
        `${prefix}«-----BEGIN| RSA PRIVATE KEY-----\n${prefix}${KEY_LINE}\n${prefix}${KEY_LINE}\n${prefix}{base40}=\n${prefix}-----END| RSA PRIVATE KEY-----»\nx`),
      '«---- BEGIN| SSH2 ENCRYPTED PRIVATE KEY ----\nComment: "key"\n{base64}\n{base64}\n{base40}==\n---- END| SSH2 ENCRYPTED PRIVATE KEY ----»',
      `  key: |\n    «-----BEGIN| RSA PRIVATE KEY-----\n    {base64}\n    {base64}\n    -----END| RSA PRIVATE KEY-----»\n  next: 1`,
    ],
    no: ['-----BEGIN| PUBLIC KEY-----\n{base64}\n{base64}\n-----END| PUBLIC KEY-----', '-----BEGIN| CERTIFICATE-----\n{base64}\n-----END| CERTIFICATE-----',
      'A file starts with -----BEGIN| PRIVATE KEY----- and ends with -----END| PRIVATE KEY-----.', '-----BEGIN| RSA PRIVATE KEY-----\n...\n-----END| RSA PRIVATE KEY-----',
      '---- BEGIN| SSH2 PUBLIC KEY ----\n{base64}\n{base64}\n---- END| SSH2 PUBLIC KEY ----', '// -----BEGIN| PRIVATE KEY-----\n// goes before the body of the key\n// -----END| PRIVATE KEY-----'],
  },
  {
    type: 'PUTTY_PRIVATE_KEY', kind: 'secret', rank: RANK.privateKey,
    anchors: [{ literal: 'Private-Lines: ', find: findPutty }],
    yes: ['Private-Lines: 2\n«{base64}\n{base64}»\nPrivate-MAC: x'], no: ['Private-Lines: 2\n...'],
  },
  {
    type: 'JWK_PRIVATE_MEMBER', kind: 'secret', rank: RANK.privateKey,
    anchors: ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k'].flatMap((name) => [`"${name}"`, `"${name}\\`]).map((literal) => ({ literal, find: findJwk })),
    yes: ['{"kty":"EC","crv":"P-256","d":"«{url43}»"}', '{"jwk":"{\\"kty\\":\\"EC\\",\\"d\\":\\"«{url43}»\\"}"}'], no: ['{"kty":"EC","crv":"P-256","x":"{url43}","y":"{url43}"}', '{"d":"{url43}"}'],
  },
  tokens({ type: 'AGE_SECRET_KEY', of: ['AGE-SECRET-KEY-1{bech58}', 'AGE-SECRET-KEY-1{up40,70}'] }),
]
