/**
 * One statement over the extended protocol, which takes no second one, in a transaction of its own. The
 * first portion of rows comes in one round trip; further ones only while they are wanted.
 */

import type { Connection, FieldDef } from 'pg'
import { postgresCell, postgresParameter, typeName } from './postgres-values.ts'
import type { EngineQuery } from './engine-port.ts'
import type { RowSink } from './row-sink.ts'

/** Rows of one portion. */
const PORTION = 200

/** The messages that this needs of the driver's connection. */
interface Wire {
  readonly stream: { cork(): void; uncork(): void }
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

/** What the driver calls for each message of the database. One object stands for one portion. */
export class PostgresPortion {
  readonly #query: EngineQuery
  readonly #sink: RowSink
  readonly #before: readonly string[]
  #oids: readonly number[]
  #failed: Error | undefined
  #isSuspended = false
  #resolve: (next: PostgresPortion | undefined) => void = () => undefined
  #reject: (error: Error) => void = () => undefined
  /** The portion after this one, where there is more and it is wanted. */
  readonly done: Promise<PostgresPortion | undefined>

  /** @param before statements that open the transaction; none for a further portion. */
  constructor(query: EngineQuery, sink: RowSink, { before = [], oids = [] }: { readonly before?: readonly string[]; readonly oids?: readonly number[] } = {}) {
    this.#query = query
    this.#sink = sink
    this.#before = before
    this.#oids = oids
    this.done = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
  }

  submit(connection: Connection): void {
    const wire = connection as unknown as Wire
    wire.stream.cork()
    for (const text of this.#before) execute(wire, text)
    if (this.#before.length > 0) {
      wire.parse({ text: this.#query.text, name: '' })
      wire.bind({ portal: '', statement: '', values: this.#query.values.map(postgresParameter) })
      wire.describe({ type: 'P', name: '' })
    }
    wire.execute({ portal: '', rows: Math.min(PORTION, this.#query.limits.maxRows + 1) })
    wire.sync()
    wire.stream.uncork()
  }

  handleRowDescription({ fields }: { readonly fields: readonly FieldDef[] }): void {
    this.#oids = fields.map(({ dataTypeID }) => dataTypeID)
    this.#sink.describe(fields.map(({ name, dataTypeID }) => ({ name, type: typeName(dataTypeID) })))
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    if (!this.#sink.isFull) this.#sink.push(fields.slice(0, this.#sink.width).map((text, index) => postgresCell(text, this.#oids[index] ?? 0)))
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

  handleReadyForQuery(): void {
    if (this.#failed) return
    this.#resolve(this.#isSuspended && !this.#sink.isFull ? new PostgresPortion(this.#query, this.#sink, { oids: this.#oids }) : undefined)
  }
}
