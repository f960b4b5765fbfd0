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

interface Text {
  readonly sql: string
  readonly values: readonly JobValue[]
}

export interface RowReader {
  direct(ask: Ask, text: Text, caps: Caps): Promise<Rows>
  /** What changes nothing: SELECT and VALUES by a cursor; EXPLAIN and SHOW, which no cursor takes and which say little, at once. */
  throughCursor(ask: Ask, text: Text, caps: Caps): Promise<Rows>
}

export function rowReader(): RowReader {
  type Cells = (string | null)[]
  const maxStep = 500
  const bounded = ({ rows: given, fields, affectedRows = 0 }: Answer, { maxRows, maxBytes, maxColumns }: Caps): { kept: Rows; bytes: number } => {
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
  /** The rows so far tell what one weighs, so that wide ones are not fetched by the hundred. */
  const nextStep = (step: number, bytesLeft: number, bytesEach: number): number =>
    Math.max(1, Math.min(maxStep, step * 4, Math.floor(bytesLeft / (1 + bytesEach))))
  const direct: RowReader['direct'] = async (ask, { sql, values }, caps) => bounded(await ask(sql, values), caps).kept
  return {
    direct,
    async throughCursor(ask, { sql, values }, caps) {
      if (/^\s*(?:explain|show)\b/i.test(sql)) return direct(ask, { sql, values }, caps)
      await ask(`DECLARE arrowhead_rows NO SCROLL CURSOR FOR ${sql}`, values)
      const rows: (readonly (string | null)[])[] = []
      let bytes = 0
      for (let step = 1; ; step = nextStep(step, caps.maxBytes - bytes, bytes / rows.length)) {
        const wanted = Math.min(step, caps.maxRows + 1 - rows.length)
        const answer = await ask(`FETCH FORWARD ${wanted} FROM arrowhead_rows`, [])
        const { kept, bytes: more } = bounded(answer, { ...caps, maxRows: caps.maxRows - rows.length, maxBytes: caps.maxBytes - bytes })
        rows.push(...kept.rows)
        bytes += more
        const cut = kept.rows.length < answer.rows.length
        if (cut || answer.rows.length < wanted) {
          await ask('CLOSE arrowhead_rows', [])
          return { ...kept, rows, truncated: cut || kept.truncated, changed: 0 }
        }
      }
    },
  }
}
