/**
 * Rows within their caps: what is over is left out, and the result says so. `rowReader` is also handed to the engine's
 * thread as text, so it stands alone.
 */

import type { Rows } from '../../kernel/ports/database.ts'
import type { JobValue } from './job.ts'

export interface Caps {
  readonly maxRows: number
  readonly maxBytes: number
  readonly maxColumns: number
}

export interface Answer {
  readonly rows: unknown[]
  readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[]
  /** Rows that a writing statement changed. */
  readonly affectedRows?: number | undefined
}

/** Runs one statement of the extended protocol, cells as text. */
export type Ask = (sql: string, values: readonly JobValue[]) => Promise<Answer>

export interface Text {
  readonly sql: string
  readonly values: readonly JobValue[]
}

export interface RowReader {
  /** What of an answer is within the caps, and how many bytes that is. */
  bounded(answer: Answer, caps: Caps): { readonly kept: Rows; readonly bytes: number }
  direct(ask: Ask, text: Text, caps: Caps): Promise<Rows>
}

export function rowReader(): RowReader {
  type Cells = (string | null)[]
  const bounded: RowReader['bounded'] = ({ rows: given, fields, affectedRows = 0 }, { maxRows, maxBytes, maxColumns }) => {
    const rows: Cells[] = []
    let bytes = 0
    for (const whole of given as Cells[]) {
      const row = whole.length > maxColumns ? whole.slice(0, maxColumns) : whole
      for (const cell of row) bytes += cell === null ? 0 : Buffer.byteLength(cell)
      if (bytes > maxBytes || rows.length >= maxRows) break
      rows.push(row)
    }
    const columns = fields.slice(0, maxColumns).map(({ name, dataTypeID }) => ({ name, typeOid: dataTypeID }))
    return { kept: { columns, rows, truncated: rows.length < given.length || fields.length > maxColumns, changed: affectedRows }, bytes }
  }
  return { bounded, direct: async (ask, { sql, values }, caps) => bounded(await ask(sql, values), caps).kept }
}
