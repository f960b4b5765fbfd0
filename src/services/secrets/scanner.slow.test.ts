import { describe, expect, it } from 'vitest'
import { PERSONAL_RULES } from './personal/index.ts'
import { SECRET_RULES } from './rules/index.ts'
import { createScanner } from './scanner.ts'

const scanner = createScanner()
const RULES = [...SECRET_RULES, ...PERSONAL_RULES]

describe('hostile texts', () => {
  const SIZE = 1_000_000
  const pieces = [
    ...new Set(RULES.flatMap((rule) => (rule.anchors ?? []).map(({ literal }) => literal)).filter((_literal, index) => index % 9 === 0)),
    'token=', 'token="', `password=${'aB3$'.repeat(40)}...`, `token='x password="`, 'password: ', 'key=a&', 'key=a,', 'token=aB3', '-----BEGIN RSA PRIVATE KEY-----', '-----BEGIN RSA PRIVATE KEY-----\nabcdefghijklmnopqrstuvwxyz', 'eyJ-', 'eyJhbGciOiJub25lIn0.',
    '://a:b/', '://a:', '://', '@tcp(', 'a:b@', 'a@', 'a@a.', '1 ', '1-', '4111 ', '+1 ', '(212) ', '"d":"', 'cookie: a=', 'cookie:sid=', 'pwd=', 'curl -u ', 'authorization: basic ', 'bearer a', 'DNI 1', 'GB82 ', '\u200b', '%41', '\\u0041', '\u001b[0m', '[REDACTED:', '=', 'x', '\n',
  ]

  it.each(pieces)('a megabyte of %j takes no longer than a few times as much of it', (piece) => {
    const started = performance.now()
    scanner.scan(piece.repeat(SIZE / piece.length))
    // A guard against quadratic work, which takes minutes at this size.
    expect(performance.now() - started).toBeLessThan(10_000)
  }, 60_000)
})
