/**
 * Reads the rows of one statement from the engine in as few turns as its caps allow, over the extended protocol of
 * Postgres, which takes no second statement (PostgreSQL documentation, §55.2.3). `portalReader` is handed to the engine's
 * thread as text, so it stands alone.
 */

import type { Rows } from '../../kernel/ports/database.ts'
import type { Caps } from './bounded-rows.ts'
import type { JobValue } from './job.ts'

/** Hands messages to the engine, which answers in pieces. */
export type Send = (messages: Uint8Array, onPiece: (piece: Uint8Array) => void) => Promise<unknown>

export interface PortalReader {
  /**
   * Runs what only says something: SELECT, VALUES, TABLE, EXPLAIN, SHOW. It needs a transaction that is open.
   * @throws an Error with the SQLSTATE as `code` where Postgres refuses it.
   */
  read(send: Send, text: { readonly sql: string; readonly values: readonly JobValue[] }, caps: Caps): Promise<Rows>
}

export function portalReader(): PortalReader {
  type Cells = (string | null)[]
  interface Reading {
    columns: { name: string; typeOid: number }[]
    rows: Cells[]
    bytes: number
    /** Whether a cap left a row out. */
    isCut: boolean
    isSuspended: boolean
  }
  /** Rows of the first turn, when nobody knows what one weighs. */
  const first = 50
  /** Bytes of an answer that are not cells. */
  const spare = 1_000_000
  const int16 = (value: number): Buffer => Buffer.from([value >> 8, value & 255])
  const int32 = (value: number): Buffer => Buffer.from([value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255])
  const word = (text: string): Buffer => Buffer.from(`${text}\0`)
  const message = (type: string, ...parts: readonly Buffer[]): Buffer => {
    const body = Buffer.concat(parts)
    return Buffer.concat([Buffer.from(type), int32(body.length + 4), body])
  }
  const isBinary = (value: JobValue): value is Exclude<JobValue, string | null> => value !== null && typeof value === 'object'
  const parameter = (value: JobValue): Buffer => {
    if (value === null) return int32(-1)
    const bytes = isBinary(value) ? Buffer.from(value.base64, 'base64') : Buffer.from(value)
    return Buffer.concat([int32(bytes.length), bytes])
  }
  const prepare = (sql: string, values: readonly JobValue[]): Buffer => {
    const count = int16(values.length)
    const bound = [count, ...values.map((value) => int16(isBinary(value) ? 1 : 0)), count, ...values.map(parameter), int16(0)]
    return Buffer.concat([message('P', word(''), word(sql), int16(0)), message('B', word(''), word(''), ...bound), message('D', Buffer.from('P'), word(''))])
  }
  const fetchRows = (rows: number): Buffer => Buffer.concat([message('E', word(''), int32(rows)), message('S')])

  const describe = (body: Buffer, { maxColumns }: Caps): Reading['columns'] => {
    const columns: Reading['columns'] = []
    for (let at = 2, left = Math.min(body.readUInt16BE(0), maxColumns + 1); left > 0; left -= 1) {
      const end = body.indexOf(0, at)
      columns.push({ name: body.toString('utf8', at, end), typeOid: body.readUInt32BE(end + 7) })
      at = end + 19
    }
    return columns
  }
  const take = (body: Buffer, reading: Reading, { maxRows, maxBytes, maxColumns }: Caps): void => {
    const row: Cells = []
    for (let at = 2, left = Math.min(body.readUInt16BE(0), maxColumns); left > 0; left -= 1) {
      const size = body.readInt32BE(at)
      row.push(size < 0 ? null : body.toString('utf8', at + 4, at + 4 + size))
      at += 4 + Math.max(0, size)
      reading.bytes += Math.max(0, size)
    }
    reading.isCut ||= reading.bytes > maxBytes || reading.rows.length >= maxRows
    if (!reading.isCut) reading.rows.push(row)
  }
  const refused = (code: string, message: string): Error => Object.assign(new Error(message), { code })
  const failure = (body: Buffer): Error => {
    const fields = body.toString('utf8').split('\0')
    const said = (letter: string): string => fields.find((field) => field.startsWith(letter))?.slice(1) ?? ''
    return refused(said('C'), said('M'))
  }
  /** What came whole: an answer that grew over its bounds ends in the middle of a message. */
  const understand = (answer: Buffer, reading: Reading, caps: Caps): void => {
    reading.isSuspended = false
    for (let at = 0; at + 5 <= answer.length; ) {
      const end = at + 1 + answer.readUInt32BE(at + 1)
      if (end > answer.length) return
      const body = answer.subarray(at + 5, end)
      const type = String.fromCharCode(answer[at] ?? 0)
      if (type === 'E') throw failure(body)
      if (type === 'T') reading.columns = describe(body, caps)
      else if (type === 'D') take(body, reading, caps)
      else if (type === 's') reading.isSuspended = true
      at = end
    }
  }

  return {
    async read(send, { sql, values }, caps) {
      // What only says something begins with one of these. What sets roles, ends transactions or runs code begins with another word.
      if (!/^[\s(]*(?:select|values|table|with|explain|show)\b/i.test(sql)) throw refused('42601', 'not a statement that only says something')
      const reading: Reading = { columns: [], rows: [], bytes: 0, isCut: false, isSuspended: true }
      let isOver = false
      const turn = async (messages: Buffer): Promise<void> => {
        const pieces: Buffer[] = []
        let room = caps.maxBytes * 2 + spare
        await send(messages, (piece) => {
          room -= piece.length
          // The piece is the engine's own memory.
          if (room >= 0) pieces.push(Buffer.from(piece))
          else isOver = true
        })
        understand(Buffer.concat(pieces), reading, caps)
      }
      for (let step = first; reading.isSuspended && !reading.isCut && !isOver; ) {
        const wanted = Math.min(step, caps.maxRows + 1 - reading.rows.length)
        await turn(step === first && reading.rows.length === 0 ? Buffer.concat([prepare(sql, values), fetchRows(wanted)]) : fetchRows(wanted))
        step = 1 + Math.max(0, Math.floor((caps.maxBytes - reading.bytes) / (1 + reading.bytes / Math.max(1, reading.rows.length))))
      }
      return { columns: reading.columns.slice(0, caps.maxColumns), rows: reading.rows, truncated: reading.isCut || isOver || reading.columns.length > caps.maxColumns, changed: 0 }
    },
  }
}
