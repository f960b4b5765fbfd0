/** Social security numbers of the United States: areas, groups and serials that can have been issued. */

import { before, numberClosesAt, numberOpensAt } from '../edges.ts'
import { RANK } from '../rule.ts'
import type { PersonalRule, Span } from '../rule.ts'
import { NAMES_OF_THINGS } from './context.ts'
import { DASHES, spaced } from './separators.ts'

const SHAPE = spaced('(?!000|666|9)\\d{3}((?:~)?)(?!00)\\d\\d\\1(?!0000)\\d{4}(?!\\d)')
const LABEL = /(?:\bssn?\b|\bss#|social[ _-]?sec|soc[ ._-]?sec|taxpayer|\btin\b|ssn)[^\d]{0,24}$/i
const DASH = new RegExp(`^[${DASHES}]$`)
// Printed in advertisements, and withdrawn.
const WITHDRAWN = new Set(['078051120', '219099999', '457555462'])
const OTHER = new RegExp(`(?:${NAMES_OF_THINGS}|lines?|row|page|order|between|from)\\b[^\\d]{0,8}$`, 'i')

function findSsn(text: string, at: number): Span | undefined {
  SHAPE.lastIndex = at
  const separator = SHAPE.exec(text)?.[1]
  if (separator === undefined) return undefined
  const end = SHAPE.lastIndex
  if (!numberOpensAt(text, at) || !numberClosesAt(text, end)) return undefined
  const context = before(text, at)
  if (LABEL.test(context)) return { start: at, end }
  return DASH.test(separator) && !OTHER.test(context) && !WITHDRAWN.has(text.slice(at, end).replace(/\D/g, '')) ? { start: at, end } : undefined
}

export const SSN: PersonalRule = {
  type: 'SSN', kind: 'personal', rank: RANK.ssn, onNumber: findSsn,
  yes: ['SSN «772-45|-6789»', '{"ssn":"«770-11|-2233»"}', 'id «773-98|-0001»;', 'ssn=«772456|789»', 'Social Security number is «771-23|-4321», thanks', 'ssn: «772 45| 6789»'],
  no: ['000-12-3456', '666-12-3456', '923-12-3456', '123-00-4567', '123-45-0000', '2024-01-15', '078-05-1120', 'range 100-20-3000 to', 'id 772456789', '1-772-45-6789', '772-45-67890'],
}
