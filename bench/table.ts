/** Rows as they are printed and kept. */

import type { Row } from './rounds.ts'

/** Four digits say all that a measurement is worth. */
export function rounded(row: Row): Row {
  const short = (value: number): number => Number(value.toPrecision(4))
  return { ...row, ours: short(row.ours), theirs: short(row.theirs), ratio: short(row.ratio) }
}

export function tableOf(all: readonly Row[]): string {
  const head = ['id', 'ours', 'baseline', 'theirs', 'unit', 'ratio', 'n']
  const cells = all.map(({ id, ours, baseline, theirs, unit, ratio, n }) =>
    [id, spelled(ours), baseline, spelled(theirs), unit, `${ratio < 0.1 ? ratio.toPrecision(1) : ratio.toFixed(2)}x`, String(n)])
  const lines = [head, ...cells]
  const widths = head.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)))
  return `${lines.map((line) => line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ').trimEnd()).join('\n')}\n`
}

export function spelled(value: number): string {
  return value >= 1_000 ? Math.round(value).toLocaleString('en-US') : value.toFixed(1)
}
