/** Runs one arithmetic case through the library door: the whole chain stands between the text and the sum. */

import { createArrowhead, Refusal } from '../../src/index.ts'
import type { Case, Verdict } from './case.ts'
import { expand } from './expand.ts'

export interface CalcCase extends Case<{ readonly expr?: string; readonly gen?: object }> {
  readonly value?: number
  /** An operator that need not be offered: a refusal is right too. */
  readonly optional?: boolean
}

export function calcRunner(): (line: CalcCase) => Promise<Verdict> {
  const arrowhead = createArrowhead({ rateLimitEnabled: false }, { replace: { trail: null } })
  const session = arrowhead.asLocal()
  return async (line) => {
    const expression = expand(line.input, line.input.expr)
    try {
      const { result } = await session.call('calculate', { expression })
      const near = line.value === undefined || Math.abs(Number(result) - line.value) <= 1e-9
      return { right: line.expect === 'allow' && near, got: `allow: ${String(result)}` }
    } catch (error) {
      if (!(error instanceof Refusal)) return { right: false, got: `fault: ${String(error)}` }
      return { right: line.expect === 'refuse' || line.optional === true, got: `refuse: ${error.code}` }
    }
  }
}
