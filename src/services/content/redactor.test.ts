import { expect, it } from 'vitest'
import { createRedactor } from './redactor.ts'

const secret = ['s3cr3t', 'value', 'of+the/server'].join('-')

it.each([
  ['as it is', secret],
  ['URL-encoded', encodeURIComponent(secret)],
  ['in base64', Buffer.from(secret).toString('base64')],
  ['in hex', Buffer.from(secret).toString('hex')],
])('masks a secret %s', (_how, form) => {
  expect(createRedactor([secret])(`before ${form} after`)).toBe('before [redacted] after')
})

it('leaves everything else as it is', () => {
  expect(createRedactor([secret, 'short'])('short texts and other words')).toBe('short texts and other words')
  expect(createRedactor([])('anything')).toBe('anything')
})
