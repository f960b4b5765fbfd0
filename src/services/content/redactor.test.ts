import { expect, it } from 'vitest'
import { createRedactor } from './redactor.ts'

const secret = ['s3cr3t', 'value', 'of+the/server'].join('-')
const redact = createRedactor([secret, 'short']) ?? ((text: string) => text)

it.each([
  ['as it is', secret],
  ['URL-encoded', encodeURIComponent(secret)],
  ['in base64', Buffer.from(secret).toString('base64')],
  ['in hex', Buffer.from(secret).toString('hex')],
])('masks a secret %s', (_how, form) => {
  expect(redact(`before ${form} after`)).toMatch(/^before \[redacted\].{0,2} after$/)
})

it.each(['', 'u', 'us', 'user:', 'someone:'])('masks a secret in base64 behind %j', (before) => {
  const text = redact(Buffer.from(`${before}${secret}:after`).toString('base64'))
  expect(text).toContain('[redacted]')
  expect(Buffer.from(text.replace('[redacted]', ''), 'base64').toString()).not.toContain(secret.slice(4, -4))
})

it('masks a secret in upper-case hex', () => {
  expect(redact(Buffer.from(secret).toString('hex').toUpperCase())).toBe('[redacted]')
})

it('leaves everything else as it is', () => {
  expect(redact('short texts and other words')).toBe('short texts and other words')
  expect(createRedactor(['short'])).toBeUndefined()
})
