/**
 * One statement over the extended protocol, which takes no second one, in a transaction of its own. What opens the
 * transaction, the statement and, where all of its rows come at once, the end of the transaction are one round trip.
 */

import type { Connection, FieldDef } from 'pg'
import { cellReader, postgresParameter, typeName } from './postgres-values.ts'
import type { Cell, EngineQuery } from './engine-port.ts'
import type { RowSink } from './row-sink.ts'

/** Rows that come first of a statement that comes in portions. */
const PORTION = 200

/** The messages that this needs of the driver's connection. */
interface Wire {
  readonly stream: { readonly writable: boolean; write(bytes: Uint8Array): unknown }
  parse(message: object): void
  bind(message: object): void
  describe(message: object): void
  execute(message: object): void
  sync(): void
}

const execute = (wire: Wire, text: string): void => {
  wire.parse({ text, name: '' })
  wire.bind({ portal: '', statement: '', values: [] })
  wire.execute({ portal: '', rows: 0 })
}

/** Every message that `speak` sends, as one piece: each write of its own wakes the database. */
function bytesOf(wire: Wire, speak: (wire: Wire) => void): Buffer {
  const pieces: Buffer[] = []
  const stream = { writable: true, write: (piece: Buffer) => pieces.push(piece) }
  speak(Object.create(wire, { stream: { value: stream } }) as Wire)
  return Buffer.concat(pieces)
}

/** Makes the messages that open a transaction, over any connection. */
export type Opening = (wire: Wire) => Buffer

/** @param statements without rows; they are put into messages once. */
export function createOpening(statements: readonly string[]): Opening {
  let bytes: Buffer | undefined
  return (wire) => (bytes ??= bytesOf(wire, (recorder) => {
    for (const text of statements) execute(recorder, text)
  }))
}

export interface PortionOptions {
  readonly query: EngineQuery
  readonly sink: RowSink
  readonly opening: Opening
  /** Whether all rows that can be wanted are asked for at once. */
  readonly atOnce: boolean
}

/** The statement was a COPY, which speaks another protocol. The connection is of no more use. */
export class UnwantedCopy extends Error {
  override readonly name = 'UnwantedCopy'
  /** SQLSTATE of what is not supported. */
  readonly code = '0A000'
}

/** What the driver calls for each message of the database. One object stands for one portion. */
export class PostgresPortion {
  readonly #options: PortionOptions
  readonly #isFirst: boolean
  #columns: readonly ((text: string | null) => Cell)[] = []
  #failed: Error | undefined
  #isSuspended = false
  #resolve: (next: PostgresPortion | undefined) => void = () => undefined
  #reject: (error: Error) => void = () => undefined
  /** The portion after this one, where there is more and it is wanted. */
  readonly done: Promise<PostgresPortion | undefined>

  /** @param before the portion that this one goes on from. */
  constructor(options: PortionOptions, before?: PostgresPortion) {
    this.#options = options
    this.#isFirst = before === undefined
    // The one before is not kept: many portions would be a chain of them.
    if (before) this.#columns = before.#columns
    this.done = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
  }

  submit(connection: Connection): void {
    const wire = connection as unknown as Wire
    const { query, opening } = this.#options
    const [rows, isLast] = this.#wanted()
    const said = bytesOf(wire, (recorder) => {
      if (this.#isFirst) {
        recorder.stream.write(opening(wire))
        recorder.parse({ text: query.text, name: '' })
        recorder.bind({ portal: '', statement: '', values: query.values.map(postgresParameter) })
        recorder.describe({ type: 'P', name: '' })
      }
      recorder.execute({ portal: '', rows })
      // After an error the database skips it, as everything up to the next sync.
      if (isLast) execute(recorder, 'ROLLBACK')
      recorder.sync()
    })
    if (wire.stream.writable) wire.stream.write(said)
  }

  /** How many rows, and whether no more can be wanted. One more than is kept tells a cut from an end. */
  #wanted(): readonly [rows: number, isLast: boolean] {
    const { query: { limits: { maxRows, maxBytes } }, sink: { count, bytes }, atOnce } = this.#options
    const left = maxRows + 1 - count
    if (atOnce) return [left, true]
    const fitting = count === 0 ? PORTION : Math.ceil(((maxBytes - bytes) * count) / bytes) + 1
    return fitting < left ? [Math.max(1, fitting), false] : [left, true]
  }

  handleRowDescription({ fields }: { readonly fields: readonly FieldDef[] }): void {
    const { sink } = this.#options
    sink.describe(fields.map(({ name, dataTypeID }) => ({ name, type: typeName(dataTypeID) })))
    this.#columns = fields.slice(0, sink.width).map(({ dataTypeID }) => cellReader(dataTypeID))
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    const { sink } = this.#options
    if (!sink.isFull) sink.push(this.#columns.map((cell, at) => cell(fields[at] ?? null)))
  }

  handlePortalSuspended(): void {
    this.#isSuspended = true
  }

  handleCommandComplete(): void {
    // The end of a portion is told by what comes after it.
  }

  handleEmptyQuery(): void {
    // As above.
  }

  handleError(error: Error): void {
    this.#failed = error
    this.#reject(error)
  }

  /** COPY from the client. */
  handleCopyInResponse(): void {
    this.handleError(new UnwantedCopy())
  }

  /** COPY to the client. The driver tells nothing of it before the first row. */
  handleCopyData(): void {
    this.handleError(new UnwantedCopy())
  }

  handleReadyForQuery(): void {
    if (this.#failed) return
    this.#resolve(this.#isSuspended && !this.#options.sink.isFull ? new PostgresPortion(this.#options, this) : undefined)
  }
}
