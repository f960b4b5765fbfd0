import { expect, it } from 'vitest'
import type { AuditRow } from '../../kernel/audit.ts'
import { column } from './logs.ts'

const ROW: AuditRow = { id: 'a', at: 0, door: 'library', kind: 'tool', component: 'calculate', caller: 'ann', args: '{expression: string(3)}', outcome: 'ok', code: '', reason: '', ms: 1.5, trace: '' }
const shown = (changes: Partial<AuditRow>): string => column({ row: { ...ROW, ...changes }, prev: '', head: { seq: 1, hash: '' } })

it('a call is one line, in columns', () => {
  expect(shown({})).toBe('1970-01-01T00:00:00.000Z  library  calculate             ann           ok        -  1.5 ms  {expression: string(3)}')
  expect(shown({ caller: '' })).toContain('  anonymous     ok')
  expect(shown({ caller: 'zo\u00eb "z"' })).toContain('  zo\u00eb "z"  ')
})

it.each(['caller', 'args', 'component', 'code', 'door', 'outcome'] as const)('nothing in the %s acts on the terminal, whoever wrote it', (name) => {
  const line = shown({ [name]: 'x\u001b[2J\r\n\u202e\u0007\u009b\u2028\u{e0041}' })
  expect(line).not.toMatch(/[\p{C}\u2028\u2029]/u)
  expect(line).toContain('x\\u001b[2J\\r\\n')
})

it('a time that no calendar has is shown as a number', () => {
  expect(shown({ at: 1e300 })).toMatch(/^1e\+300 {2}library/)
})
