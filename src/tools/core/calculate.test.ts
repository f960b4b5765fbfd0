import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Refusal } from '../../kernel/refusal.ts'
import { testApp } from '../../testing/index.ts'
import { evaluate } from './arithmetic.ts'

const { call } = testApp({ settings: { rateLimitEnabled: false } })

describe('calculate', () => {
  it('returns the result', async () => {
    expect(await call('calculate', { expression: '2 * (3 + 4)' })).toMatchObject({ is: 'ok', answer: { value: { result: 14 } } })
  })

  it.each([
    ['a division by zero', '1/0', 'expression.range'],
    ['code', 'process.exit()', 'expression.syntax'],
    ['an open bracket', '(1', 'expression.syntax'],
    ['two numbers in a row', '1 2', 'expression.syntax'],
    ['more than the limit of characters', '1+'.repeat(100) + '1', 'expression.size'],
    ['an empty text', '', 'input.invalid'],
    ['deep brackets', '('.repeat(70) + '1' + ')'.repeat(70), 'expression.size'],
  ])('refuses %s', async (_what, expression, code) => {
    expect(await call('calculate', { expression })).toMatchObject({ is: 'refused', refusal: { code } })
  })

  it('never shows the expression in a refusal', async () => {
    const outcome = await call('calculate', { expression: 'secretword(1)' })
    expect(JSON.stringify(outcome)).not.toContain('secretword')
  })
})

describe('the evaluator', () => {
  const expression: fc.Arbitrary<string> = fc.letrec<{ sum: string; atom: string }>((tie) => ({
    sum: fc.oneof({ maxDepth: 4 }, tie('atom'), fc.tuple(tie('sum'), fc.constantFrom('+', '-', '*'), tie('sum')).map(([a, op, b]) => `(${a} ${op} ${b})`)),
    atom: fc.integer({ min: -1000, max: 1000 }).map(String),
  })).sum

  it('agrees with the language on whatever both can say', () => {
    fc.assert(fc.property(expression, (text) => {
      // The oracle may use what the product never does: the text is made of our own numbers and operators.
      expect(evaluate(text)).toBe(Number(new Function(`return (${text.replaceAll('--', '- -')})`)()) + 0)
    }))
  })

  it('answers any text with a finite number or a refusal', () => {
    fc.assert(fc.property(fc.string({ unit: fc.constantFrom(...'0123456789+-*/(). eE\t_axn'), maxLength: 60 }), (text) => {
      try {
        expect(Number.isFinite(evaluate(text))).toBe(true)
      } catch (error) {
        expect(error).toBeInstanceOf(Refusal)
      }
    }), { numRuns: 3000 })
  })
})
