/** Reads the rows of one statement from a server by the portion, so that no more than the caps take is ever fetched. */

import type { Rows } from '../../kernel/ports/database.ts'
import type { Ask, Caps, RowReader, Text } from './bounded-rows.ts'

const MAX_STEP = 500

/** What changes nothing: SELECT and VALUES by a cursor; EXPLAIN and SHOW, which no cursor takes and which say little, at once. */
export async function throughCursor(reader: RowReader, ask: Ask, { text: { sql, values }, caps }: { readonly text: Text; readonly caps: Caps }): Promise<Rows> {
  if (/^\s*(?:explain|show)\b/i.test(sql)) return reader.direct(ask, { sql, values }, caps)
  await ask(`DECLARE arrowhead_rows NO SCROLL CURSOR FOR ${sql}`, values)
  const rows: (readonly (string | null)[])[] = []
  let bytes = 0
  for (let step = 1; ; step = nextStep(step, caps.maxBytes - bytes, bytes / rows.length)) {
    const wanted = Math.min(step, caps.maxRows + 1 - rows.length)
    const answer = await ask(`FETCH FORWARD ${wanted} FROM arrowhead_rows`, [])
    const { kept, bytes: more } = reader.bounded(answer, { ...caps, maxRows: caps.maxRows - rows.length, maxBytes: caps.maxBytes - bytes })
    rows.push(...kept.rows)
    bytes += more
    const cut = kept.rows.length < answer.rows.length
    if (cut || answer.rows.length < wanted) {
      await ask('CLOSE arrowhead_rows', [])
      return { ...kept, rows, truncated: cut || kept.truncated, changed: 0 }
    }
  }
}

/** The rows so far tell what one weighs, so that wide ones are not fetched by the hundred. */
const nextStep = (step: number, bytesLeft: number, bytesEach: number): number =>
  Math.max(1, Math.min(MAX_STEP, step * 4, Math.floor(bytesLeft / (1 + bytesEach))))
