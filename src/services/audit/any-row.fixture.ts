/** Rows for property tests. */

import fc from 'fast-check'
import type { AuditRow } from '../../kernel/audit.ts'

const awkward = ['"', '\\', '","', '\n', '\0', '\u007f', '\u2028', '\u202e', '\ud800', 'é', '😀', 'x'.repeat(255), 'x'.repeat(2_000)]
const text = fc.oneof(
  { weight: 12, arbitrary: fc.string({ maxLength: 40 }).map((plain) => plain.replace(/["\\]/g, '')) },
  { weight: 1, arbitrary: fc.array(fc.oneof(fc.constantFrom(...awkward), fc.string({ unit: 'binary' })), { maxLength: 3 }).map((parts) => parts.join('')) },
)
const number = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 4e12 }) },
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 1e8 }).map((thousandths) => thousandths / 1_000) },
  { weight: 1, arbitrary: fc.oneof(fc.double(), fc.constantFrom(-0, 1e12, 1e21, 1.7e308)) },
)

/** Rows of which many are plain, and whose texts and numbers are otherwise anything. */
export const anyRow = fc.record({
  id: text,
  at: number,
  door: text,
  kind: text,
  component: text,
  caller: text,
  args: text,
  outcome: text,
  code: text,
  reason: text,
  ms: number,
  trace: text,
}) as unknown as fc.Arbitrary<AuditRow>
