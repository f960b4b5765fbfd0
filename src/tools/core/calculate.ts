import * as z from 'zod'
import { refusal } from '../../kernel/refusal.ts'
import { defineTool } from '../../kernel/tool.ts'
import { evaluate } from './arithmetic.ts'

export const calculate = defineTool({
  name: 'calculate',
  title: 'Calculate',
  summary: 'Evaluates plain arithmetic: numbers, + - * / and brackets. Use it instead of working a sum out in text.',
  scope: 'tools:read',
  level: 'SAFE',
  effect: 'read',
  idempotent: true,
  openWorld: false,
  perMinute: 120,
  uses: ['bounds'],

  input: z.strictObject({ expression: z.string().min(1).max(100_000).describe('Such as "2 * (3 + 4)".') }),
  output: z.strictObject({ result: z.number() }),
  examples: [{ title: 'A sum with brackets', input: { expression: '2 * (3 + 4)' } }],

  touches: () => [],

  run({ expression }, { bounds }) {
    if (expression.length > bounds.expressionMaxLength) {
      throw refusal('expression.size', `at most ${bounds.expressionMaxLength} characters`)
    }
    return { result: evaluate(expression) }
  },
})
