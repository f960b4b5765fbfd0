import { expect, it } from 'vitest'
import { testRules } from './policy-examples.ts'

const options = { home: '/home/me', cwd: '/home/me' }
const wrong = (security?: Readonly<Record<string, unknown>>) => testRules({ security }, options).filter(({ problems }) => problems.length > 0)

it('finds every built-in example as it says, and has examples of each kind', () => {
  const rules = testRules({ security: undefined }, options)
  expect(wrong()).toEqual([])
  expect(rules.reduce((sum, { examples }) => sum + examples, 0)).toBeGreaterThan(50)
})

it('holds the operator’s examples against what the operator wrote', () => {
  const rules = [{ kind: 'read', match: ['~/private/x', '~/public/x'], not_match: ['~/.ssh/config'] }, { kind: 'command', not_match: ['df -h'] }]
  expect(wrong({ denied_patterns: ['private/**'], rules })).toMatchObject([{ from: 'config file', rule: 1, examples: 3, problems: [expect.stringContaining('example 2 of "match"'), expect.stringContaining('example 1 of "not_match"')] }])
})

it('keeps the built-in examples apart from what the operator opens', () => {
  expect(wrong({ excepted_patterns: ['**/.env'], allowed_roots: ['/srv/x'] })).toEqual([])
})

it('refuses a section that cannot be applied', () => {
  expect(() => testRules({ security: { nonsense: true } }, options)).toThrow()
  expect(() => testRules({ security: { rules: {} } }, options)).toThrow()
})
