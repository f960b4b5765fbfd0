import { expect, it } from 'vitest'
import { refusal } from '../kernel/refusal.ts'
import { said, shown } from './finding.ts'

it('shows a value from outside as JSON of visible characters, cut short', () => {
  expect(shown('a"\u001b[2J\u009b\u202e\u2028é')).toBe('"a\\"\\u001b[2J\\u{9b}\\u{202e}\\u{2028}\\u{e9}"')
  expect(shown('a'.repeat(1_000)).length).toBe(200)
  expect(shown(undefined)).toBe('null')
})

it('says the code of an error, which a server may have sent, and never its text', () => {
  expect(said(Object.assign(new Error('secret'), { code: 'E\u009b2J\n' }))).toBe('E\\u{9b}2J\\u{a}')
  expect(said(new Error('secret'))).toBe('unknown')
  expect(said(refusal('egress.url'))).toContain('egress.url')
})
