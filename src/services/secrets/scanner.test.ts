import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runSecretCase } from '../../../test/cases/secrets.ts'
import type { SecretCase } from '../../../test/cases/secrets.ts'
import { PERSONAL_RULES } from './personal/index.ts'
import { SECRET_RULES } from './rules/index.ts'
import { drawExample, drawToken, seeded } from './sample.fixture.ts'
import { createScanner } from './scanner.ts'

const scanner = createScanner()
const RULES = [...SECRET_RULES, ...PERSONAL_RULES]
const GITHUB = drawToken('ghp_{an36}', seeded('github'))
const CARD = ['4111', '1111', '1111', '1111'].join('')
const MAIL = ['jane', 'example.com'].join('@')

/** A text of every rule, with the secret somewhere in it. */
const planted = fc.record({ type: fc.nat(RULES.length - 1), which: fc.nat(), seed: fc.string({ maxLength: 8 }) }).map(({ type, which, seed }) => {
  const rule = RULES[type] ?? RULES[0]
  if (rule === undefined) throw new Error('no rules')
  const template = rule.yes[which % rule.yes.length] ?? ''
  const draw = seeded(`${rule.type} ${seed}`)
  const isFormat = rule.kind === 'secret' && rule.yes.every((one) => !one.includes('«')) && rule.type !== 'JWT'
  return { sample: isFormat ? { text: drawToken(template, draw), start: 0, end: Number.NaN } : drawExample(template, draw) }
})
const WORDS = ['the', 'server', 'answers', 'with', 'a', 'page', 'of', 'notes', 'and', 'then', 'closes', '42', '3.14', 'x = y + 1;', '{', '}', 'été', '日本', '2024-01-15']
const prose = fc.array(fc.constantFrom(...WORDS, '\n'), { maxLength: 30 }).map((words) => words.join(' '))

describe('what the scanner finds', () => {
  it('finds a value of every rule at its exact place in any text', () => {
    fc.assert(fc.property(prose, planted, prose, (before, { sample }, after) => {
      const lead = `${before}\n`
      const end = Number.isNaN(sample.end) ? sample.text.length : sample.end
      const found = scanner.scan(`${lead}${sample.text}\n${after}`)
      expect(found.map(({ start, end: stop }) => [start, stop]), sample.text).toEqual([[lead.length + sample.start, lead.length + end]])
    }), { numRuns: 1_500, seed: 10 })
  })

  it('says line and column from one', () => {
    expect(scanner.scan(`a\r\nbc ${GITHUB}\n ${MAIL}`).map(({ line, column, type }) => [type, line, column])).toEqual([['GITHUB_TOKEN', 2, 4], ['EMAIL', 3, 2]])
  })

  it('never returns the value', () => {
    const findings = JSON.stringify(scanner.scan(`${GITHUB} ${CARD} ${MAIL}`))
    for (const value of [GITHUB, CARD, MAIL, GITHUB.slice(4, 12)]) expect(findings).not.toContain(value)
  })

  it('reports a value once that several rules know, by the surest of them', () => {
    expect(scanner.scan(`GITHUB_TOKEN="${GITHUB}"`).map(({ type }) => type)).toEqual(['GITHUB_TOKEN'])
    expect(scanner.scan(`https://ada:${GITHUB}@host.example/x`).map(({ type }) => type)).toEqual(['GITHUB_TOKEN'])
  })

  it('finds a value behind what hides it from a reader', () => {
    const split = (mark: string): string => GITHUB.slice(0, 20) + mark + GITHUB.slice(20)
    for (const text of [split('\u200b'), split('\u001b[1m'), split('\u00ad'), GITHUB.replace('_', '\\u005f'), GITHUB.replace('_', '%5F'), `\u001b[32m${GITHUB}\u001b[0m`, `"log\\n${GITHUB}\\n"`, MAIL.replace('@', '%40'), MAIL.replace('@', '&#64;')]) {
      expect(scanner.redact(text).count, text).toBe(1)
    }
    expect(scanner.redact(`a\u200bb \u001b[32m${split('\u200b')}\u001b[0m c\u200b`).text).toMatch(/^a\u200bb \u001b\[32m\[REDACTED:GITHUB_TOKEN:[0-9a-f]{12}\]\u001b\[0m c\u200b$/)
  })

  const split = (mark: string): string => GITHUB.slice(0, 20) + mark + GITHUB.slice(20)
  const escaped = (as: string): string => GITHUB.replace('_', as)

  it.each([
    ['the bounds of a direction', split('\u2066')], ['a filler', split('\u3164')], ['a narrow filler', split('\uffa0')], ['a leading consonant', split('\u115f')], ['an inherent vowel', split('\u17b4')], ['a free variation', split('\u180b')], ['an anchor of notes', split('\ufff9')],
    ['a tag', split('\u{e0041}')], ['a variation selector', split('\u{e0100}')], ['NUL', split('\u0000')], ['a bell', split('\u0007')], ['a backspace', split('\b')], ['DEL', split('\u007f')], ['a C1 control', split('\u0090')], ['a C1 sequence', split('\u009b1m')], ['a title', split('\u001b]0;x\u0007')],
    ['\\x5f', escaped('\\x5f')], ['\\u{5f}', escaped('\\u{5f}')], ['\\U0000005f', escaped('\\U0000005f')], ['&#X5f;', escaped('&#X5f;')], ['&#00095;', escaped('&#00095;')], ['&lowbar;', escaped('&lowbar;')], ['%255F', escaped('%255F')], ['&shy;', split('&shy;')], ['&#8203;', split('&#8203;')],
    ['\\u200b', split('\\u200b')], ['%E2%80%8B', split('%E2%80%8B')], ['a written-out colour', split('\\u001b[1m')], ['a backslash of Markdown', escaped('\\_')],
  ])('finds a token with %s in it, and cuts out all of it', (_what, hidden) => {
    expect(scanner.redact(`see ${hidden} there`).text).toMatch(/^see \[REDACTED:GITHUB_TOKEN:[0-9a-f]{12}\] there$/)
  })

  it.each(['\\u001b[32m', '\\x1b[31m', '\\033[31m', '\\e[31m'])('finds a token right after the written-out colour %s', (colour) => {
    const key = drawToken('AKIA{up16}', seeded('colour'))
    expect(scanner.scan(`say "${colour}${key}"`).map(({ type }) => type)).toEqual(['AWS_ACCESS_KEY_ID'])
  })

  it.each([
    ['jane\\_roe\\@example.com', 'EMAIL'], ['password: Ab\\*c\\_9xQ\\!z2', 'SECRET'], ['password: \\*Ab9c\\_xQ7z2', 'SECRET'], ['https\\://app:kX93\\_mQ7zLb@host.example', 'URL_CREDENTIALS'],
  ])('reads %s without the backslashes that Markdown puts there', (text, type) => {
    expect(scanner.scan(`one\ntwo ${text}\nthree`).map((finding) => finding.type)).toEqual([type])
    expect(scanner.redact(`one\ntwo ${text}\nthree`).text).toMatch(/^one\ntwo (?:password: |https\\:\/\/app:)?\[REDACTED:[A-Z_]+:[0-9a-f]{12}\](?:@host\.example)?\nthree$/)
  })

  it.each([['process.env.API_KEY || "', '"'], ['password: |\n  ', '\n']])('finds the value between %j and %j', (before, after) => {
    const value = drawToken('{an24}', seeded('bar'))
    expect(scanner.redact(before + value + after).text).toMatch(/\[REDACTED:SECRET:[0-9a-f]{12}\]["\n]$/)
  })

  it.each(['process.env.API_KEY || ""', 'password: |\n  at least twelve characters\n', '/^[\\w.-]+\\.(?:js|ts)$/', 'C:\\Users\\_work\\.git', '\\alpha\\_1 + \\beta\\_2', 'a \\* b \\* c', 'password: \\*\\*\\*', 'one\\@', 'tel\\. none', '\\u200b\\u200b', 'token: \\<your\\_token\\>'])('leaves %s', (text) => {
    expect(scanner.scan(text)).toEqual([])
  })

  it('takes lines that are read without their backslashes for no neighbours', () => {
    expect(scanner.scan(`-----BEGIN ${'RSA PRIVATE'} KEY----- a\\_b\nwords\n${'Ab1+'.repeat(16)}a\\_b\n`)).toEqual([])
  })

  it('finds two tokens with nothing between', () => {
    const other = drawToken('ghp_{an36}', seeded('other'))
    expect(scanner.redact(GITHUB + other).text).toMatch(/^(?:\[REDACTED:GITHUB_TOKEN:[0-9a-f]{12}\]){2}$/)
  })
})

describe('what the scanner leaves', () => {
  const hex = (length: number) => fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: length, maxLength: length })
  const base64 = (length: number) => fc.string({ unit: fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'), minLength: length, maxLength: length })

  /** One number in ten passes the check digit of cards (ISO/IEC 7812-1, annex B), and one with an issuer's prefix is a card's. */
  const isNoCard = (text: string): boolean => !(text.match(/\d{12,}/g) ?? []).some((digits) => passesCheck(digits))
  const passesCheck = (digits: string): boolean =>
    [...digits].reverse().reduce((sum, digit, at) => sum + (at % 2 === 0 ? Number(digit) : [0, 2, 4, 6, 8, 1, 3, 5, 7, 9][Number(digit)] ?? 0), 0) % 10 === 0

  it.each([
    ['prose', prose],
    ['digests', fc.tuple(fc.constantFrom('sha256:', 'commit ', 'etag: ', '"'), fc.oneof(hex(32), hex(40), hex(64))).map((parts) => parts.join(''))],
    ['UUIDs', fc.uuid().map((id) => `id: ${id}`)],
    ['lines of a lock file', base64(86).map((digest) => `"integrity": "sha512-${digest}=="`)],
    ['public keys', fc.oneof(base64(68).map((key) => `ssh-ed25519 ${key} laptop`), base64(64).map((key) => `-----BEGIN PUBLIC KEY-----\n${key}\n-----END PUBLIC KEY-----`))],
    ['numbers', fc.array(fc.oneof(fc.nat().map(String), fc.double({ noNaN: true }).map(String).filter(isNoCard)), { maxLength: 20 }).map((numbers) => numbers.join(', '))],
    ['dates', fc.date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true }).map((date) => `${date.toISOString()} ${date.getTime()}`)],
  ])('%s', (_what, texts) => {
    fc.assert(fc.property(texts.filter(isNoCard), (text) => {
      expect(scanner.scan(text)).toEqual([])
    }), { numRuns: 500 })
  })

  it('the sources and documents of this project, but for the examples in the table of rules and what tests make up', () => {
    const root = fileURLToPath(new URL('../../../', import.meta.url))
    const files = execFileSync('git', ['ls-files', 'src', 'docs', 'README.md'], { cwd: root, encoding: 'utf8' }).split('\n')
      .filter((file) => file !== '' && !/\.(?:test|fixture)\.ts$/.test(file) && existsSync(root + file))
    const found = files.filter((file) => !/^src\/services\/secrets\/(?:rules|personal)\//.test(file)).flatMap((file) => scanner.scan(readFileSync(root + file, 'utf8')).map(({ type, line }) => `${file}:${line} ${type}`))
    expect(files.length).toBeGreaterThan(100)
    expect(found).toEqual([])
  })
})

describe('redacting', () => {
  const fragment = fc.oneof(prose, planted.map(({ sample }) => sample.text), fc.constantFrom('[REDACTED:EMAIL:0123456789ab]', 'password=', 'token: "', '"', '@', ':', '-', ' ', ']', '\u200b', '%40', CARD, 'card '))

  it('changes nothing the second time', () => {
    fc.assert(fc.property(fc.array(fragment, { maxLength: 8 }), fc.boolean(), (fragments, glued) => {
      const once = scanner.redact(fragments.join(glued ? '' : ' ')).text
      expect(scanner.redact(once)).toEqual({ text: once, count: 0 })
    }), { numRuns: 3_000 })
  })

  it('keeps every character outside the findings', () => {
    fc.assert(fc.property(fc.array(fragment, { maxLength: 6 }), (fragments) => {
      const text = fragments.join(' ')
      let rebuilt = ''
      let from = 0
      for (const { start, end, placeholder } of scanner.scan(text)) {
        rebuilt += text.slice(from, start) + placeholder
        from = end
      }
      expect(scanner.redact(text).text).toBe(rebuilt + text.slice(from))
    }), { numRuns: 500 })
  })

  it('gives the same value the same tag within a process, and another under another salt', () => {
    const [once, again, other] = [createScanner(), createScanner(), createScanner({ salt: 'other' })].map((one) => one.redact(MAIL).text)
    expect(once).toMatch(/^\[REDACTED:EMAIL:[0-9a-f]{12}\]$/)
    expect(again).toBe(once)
    expect(other).not.toBe(once)
    expect(createScanner({ salt: 'other' }).redact(`x ${MAIL}`).text).toBe(`x ${other}`)
  })
})

describe.each(['secrets', 'pii'])('the shared cases of %s', (area) => {
  const file = new URL(`../../../../shared/cases/${area}.jsonl`, import.meta.url)
  const lines: readonly SecretCase[] = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter((line) => line !== '').map((line) => JSON.parse(line) as SecretCase) : []

  it.skipIf(lines.length === 0)('come out right (skipped where the shared cases are absent)', async () => {
    const wrong: string[] = []
    for (const line of lines) {
      const { right, got } = await runSecretCase(line)
      if (!right && line.tier !== 'quality') wrong.push(`${line.id}: ${got}`)
    }
    expect(wrong).toEqual([])
  })
})
