/** Collects rows until a limit is reached; what comes after is never kept. */

import type { Cell, Column, EngineRows, RowLimits } from './engine-port.ts'

export interface RowSink {
  /** Says what the columns are; those over the limit are left out of every row. */
  describe(columns: readonly Column[]): void
  /** @returns false once a limit is reached: nothing more is wanted. */
  push(row: readonly Cell[]): boolean
  readonly isFull: boolean
  /** How many of a row's columns are wanted; no more may be pushed. */
  readonly width: number
  /** What was kept so far. */
  readonly count: number
  readonly bytes: number
  /** Stops as if a row had been too large. */
  overflow(): void
  result(): EngineRows
}

export function createRowSink({ maxRows, maxBytes, maxColumns }: RowLimits): RowSink {
  let columns: readonly Column[] = []
  let cut: EngineRows['cut']
  let isFull = false
  let bytes = 2
  const lines: string[] = []
  const stop = (why: NonNullable<EngineRows['cut']>): false => {
    isFull = true
    cut = why
    return false
  }
  return {
    describe(all) {
      columns = all.slice(0, maxColumns)
      if (all.length > maxColumns) cut = 'columns'
    },
    push(row) {
      if (isFull) return false
      if (lines.length === maxRows) return stop('rows')
      const line = JSON.stringify(row)
      bytes += Buffer.byteLength(line) + 1
      if (bytes > maxBytes) return stop('bytes')
      lines.push(line)
      return true
    },
    overflow: () => void stop('bytes'),
    get isFull() {
      return isFull
    },
    get width() {
      return columns.length
    },
    get count() {
      return lines.length
    },
    get bytes() {
      return bytes
    },
    result: () => ({ columns, lines, ...(cut && { cut }) }),
  }
}
