import { expect, it } from 'vitest'
import { createScanner } from '../services/secrets/index.ts'
import { withoutEncoded } from './without-encoded.ts'

/** Put together here, so that no scanner takes this file for a leak. */
const SECRET = ['OxGtAYL', 'nnqTqHa', 'PtdqAFW', 'pNLrLwd', 'tFCsFIX', 'x'].join('')
const scanner = createScanner()
const redacted = async (text: string): Promise<string> => scanner.redact(text).text
const base64 = (text: string, encoding: 'base64' | 'base64url' = 'base64'): string => Buffer.from(text).toString(encoding)

it.each([
  ['a token', base64(SECRET)], ['one with a prefix', base64(`gh${'p_'}${SECRET}`)], ['one for a URL', base64(`${SECRET}??>>`, 'base64url')],
  ['user and password', base64(`app:${SECRET}`)], ['settings', base64(`user=app\npassword=${SECRET}\n`)], ['JSON', base64(JSON.stringify({ api_key: SECRET }))],
])('%s in base64 is taken out, and the rest stays', async (_what, encoded) => {
  expect(await withoutEncoded(`{"a":"${encoded}","b":"2+3"}`, redacted)).toBe('{"a":"[REDACTED:ENCODED]","b":"2+3"}')
})

it.each([
  ['a sentence', base64('the quick brown fox jumps')], ['a cursor', base64('{"offset":20,"limit":100}')], ['a name', base64('quarterly-report-of-the-board')], ['bytes', Buffer.alloc(60, 0xfa).toString('base64')],
  ['a UUID', '3f2504e0-4f89-41d3-9a0c-0305e82c3301'], ['a digest', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'], ['a path', 'docs/some-long-path/with_names/of_all/kinds'], ['nothing', ''],
])('%s stays as it is', async (_what, text) => {
  expect(await withoutEncoded(`x ${text} y`, redacted)).toBe(`x ${text} y`)
})
