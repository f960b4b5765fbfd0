import { expect } from 'vitest'
import { valueOf } from '../probes.ts'
import { codeOf } from '../probes.ts'
import type { Area } from '../proves.ts'

const CODE = [
  'process.exit()', 'globalThis', '(1).constructor', 'require("fs")', '`id`', '$(id)', '1;2', '1,2', '2**8', '[1]', '{}', '()=>1', '0x10', '1_000', "''", '1/*x*/', '1//x', 'NaN', 'Infinity', 'import("fs")', '\\u0031', '１+１',
]

export const calculate: Area = (proves) => {
  proves('calculate.no-code', 'everything that is not numbers, four operators and brackets is refused', async ({ open }) => {
    const { call } = open({ settings: { rateLimitEnabled: false } })
    for (const expression of CODE) expect([expression, codeOf(await call('calculate', { expression }))]).toEqual([expression, 'expression.syntax'])
    expect(valueOf(await call('calculate', { expression: '2 * (3 + 4)' }))).toEqual({ result: 14 })
  })
}
