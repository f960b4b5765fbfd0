/** Collects rows until a limit is reached; what comes after is never kept. */

import type { Cell, Column, EngineRows, RowLimits } from './engine-port.ts'

export interface RowSink {
  /** Says what the columns are; those over the limit are left out of every row. */
  describe(columns: readonly Column[]): void
  /** @returns false once a limit is reached: nothing more is wanted. */
  push(row: readonly Cell[]): boolean
  readonly isFull: boolean
  /** How many of a row's columns are wanted. */
  readonly width: number
  /** Stops as if a row had been too large. */
  overflow(): void
  result(): EngineRows
}

export function createRowSink({ maxRows, maxBytes, maxColumns }: RowLimits): RowSink {
  let columns: readonly Column[] = []
  let cut: EngineRows['cut']
  let isFull = false
  let bytes = 2
  const rows: (readonly Cell[])[] = []
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
      if (rows.length === maxRows) return stop('rows')
      const kept = row.slice(0, columns.length)
      bytes += Buffer.byteLength(JSON.stringify(kept)) + 1
      if (bytes > maxBytes) return stop('bytes')
      rows.push(kept)
      return true
    },
    overflow: () => void stop('bytes'),
    get isFull() {
      return isFull
    },
    get width() {
      return columns.length
    },
    result: () => ({ columns, rows, ...(cut && { cut }) }),
  }
}
