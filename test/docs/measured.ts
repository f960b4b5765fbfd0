/** What the last whole run of `npm run bench` measured, by the id of a row: `bench/results.json`. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../process/built-binary.ts'
import { dimensionOf, inBase, type Quantity } from './quantities.ts'

interface Row {
  readonly id: string
  readonly ours: number
  readonly theirs: number
  readonly ratio: number
  readonly unit: string
}

const ROWS = JSON.parse(readFileSync(join(ROOT, 'bench/results.json'), 'utf8')) as readonly Row[]

export const near = (value: number, wanted: number, tolerance: number): boolean => Math.abs(value - wanted) <= tolerance * Math.abs(wanted)

/** Whether a quantity is what a row says: ours, theirs or the ratio, a share of one also as what is lacking to it. Undefined where no row has the id. */
export function measured(id: string, tolerance: number): ((quantity: Quantity) => boolean) | undefined {
  const rows = ROWS.filter((row) => row.id === id)
  return rows.length === 0 ? undefined : (quantity) => rows.some((row) => isOf(row, quantity, tolerance))
}

function isOf({ ours, theirs, ratio, unit }: Row, quantity: Quantity, tolerance: number): boolean {
  const isOneOf = (wanted: readonly number[], value = quantity.value): boolean => wanted.some((one) => near(value, one, tolerance))
  if (quantity.unit === '%' || quantity.unit === 'percent') return isOneOf([100 * ratio, 100 * (1 - ratio)])
  if (quantity.unit === '×') return isOneOf([ratio])
  if (quantity.unit === undefined) return isOneOf([ours, theirs, ratio])
  return dimensionOf(quantity.unit) === dimensionOf(unit) && isOneOf([ours, theirs].map((value) => inBase({ value, unit })), inBase(quantity))
}
