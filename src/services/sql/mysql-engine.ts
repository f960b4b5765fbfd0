/**
 * MySQL and MariaDB over a pool. Each query has a read-only transaction of its own that is rolled back, the server's own
 * time-out, and prepared statements; leaving early kills the query in the server. A connection that waits in the pool
 * has its session set already, anew since the query before, so that the next one is one round trip.
 */

import type { Connection, FieldPacket, Pool, PoolConnection } from 'mysql2'
import { bytesCell, jsonCell } from './cells.ts'
import { rowsOf } from './engine-port.ts'
import type { Cell, EngineQuery, EngineRows, SqlEngine } from './engine-port.ts'
import { failureOf, tooCostly } from './failures.ts'
import { createRowSink } from './row-sink.ts'
import type { RowSink } from './row-sink.ts'
import { shapesOf } from './table-shapes.ts'

export interface MysqlOptions {
  readonly url: string
  /** Connections at once; more queries wait. @default 4 */
  readonly maxConnections?: number
}

const CONNECT_MS = 10_000
const GRACE_MS = 2_000
const SPARE_BYTES = 1_000_000
/** Statements that a connection keeps prepared in the server, which has room for some thousands in all. */
const MAX_PREPARED = 50

const TABLES = `SELECT table_schema, table_name, column_name, column_type FROM information_schema.columns
WHERE table_schema NOT IN ('information_schema', 'performance_schema', 'mysql', 'sys') ORDER BY 1, 2, ordinal_position`

interface Opened {
  readonly pool: Pool
  readonly schema: string
  readonly isMaria: boolean
  readonly killer: () => Connection
}

export function createMysqlEngine({ url, maxConnections = 4 }: MysqlOptions): SqlEngine {
  let opened: Promise<Opened> | undefined

  const open = async (): Promise<Opened> => {
    const { default: mysql } = await import('mysql2')
    const config = { uri: url, multipleStatements: false, supportBigNumbers: true, dateStrings: true, jsonStrings: true, rowsAsArray: true, maxPreparedStatements: MAX_PREPARED, charset: 'utf8mb4', connectTimeout: CONNECT_MS, flags: ['-LOCAL_FILES', '-FOUND_ROWS'] }
    const pool = mysql.createPool({ ...config, connectionLimit: maxConnections, maxIdle: maxConnections, idleTimeout: 30_000 })
    // Who waits for a connection that breaks hears of it by the query; unheard, it would end the process.
    pool.on('connection', (connection) => void connection.on('error', () => undefined))
    try {
      const rows = await all(pool, 'SELECT DATABASE(), VERSION()')
      const [schema, version] = (rows[0] ?? []).map(String)
      return { pool, schema: schema === 'null' || schema === undefined ? '' : schema, isMaria: /mariadb/i.test(version ?? ''), killer: () => mysql.createConnection(config) }
    } catch (error) {
      pool.end(() => undefined)
      throw failureOf(error, codeOf)
    }
  }
  const ready = (): Promise<Opened> => {
    opened ??= open().catch((error) => {
      opened = undefined
      throw error
    })
    return opened
  }

  /** The settings that each connection has now. */
  const settings = new WeakMap<PoolConnection, string>()
  const run = async (query: EngineQuery, signal: AbortSignal): Promise<EngineRows> => {
    const { pool, isMaria, killer } = await ready()
    signal.throwIfAborted()
    const connection = await taken(pool)
    if (signal.aborted) connection.release()
    signal.throwIfAborted()
    const wanted = sessionOf(query.limits, isMaria)
    const sink = createRowSink(query.limits)
    let spoilt = false
    const spoil = (): void => {
      if (spoilt) return
      spoilt = true
      kill(connection, killer())
    }
    const release = watch(connection, { query, signal, spoil, overflow: () => sink.overflow() })
    try {
      if (settings.get(connection) !== wanted) await said(connection, wanted)
      signal.throwIfAborted()
      settings.delete(connection)
      await streamed(connection, query, { sink, spoil })
      const rows = sink.result()
      // Without columns it told nothing and was there to change something, such as the database of this connection (USE).
      if (rows.columns.length === 0) spoilt = true
      return rows
    } catch (error) {
      signal.throwIfAborted()
      if (sink.isFull) return sink.result()
      throw spoilt ? tooCostly() : failureOf(error, codeOf)
    } finally {
      release()
      if (spoilt) connection.destroy()
      else {
        // The caller waits for neither. The second is sent when the first has passed.
        said(connection, 'ROLLBACK').then(() => said(connection, wanted)).then(
          () => {
            settings.set(connection, wanted)
            connection.release()
          },
          () => connection.destroy(),
        )
      }
    }
  }

  return {
    dialect: 'mysql',
    defaultSchema: async () => (await ready()).schema,
    query: run,
    async tables(limit, signal) {
      const limits = { maxRows: limit * 20, maxBytes: 4_000_000, maxColumns: 4, timeoutMs: 10_000 }
      return shapesOf(rowsOf(await run({ text: TABLES, values: [], limits }, signal)), limit)
    },
    async close() {
      const { pool } = (await opened?.catch(() => undefined)) ?? {}
      opened = undefined
      if (pool) await new Promise<void>((resolve) => pool.end(() => resolve()))
    },
  }
}

/**
 * The words of quotes are pinned, because the guard read the query by them. Without autocommit a statement begins its
 * transaction itself: one that only reads, as the session says of each.
 */
const sessionOf = ({ maxRows, timeoutMs }: EngineQuery['limits'], isMaria: boolean): string =>
  `SET SESSION sql_mode = 'STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION', SESSION sql_select_limit = ${maxRows + 1}, SESSION lock_wait_timeout = 2, SESSION time_zone = DEFAULT, SESSION autocommit = 0, ` +
  (isMaria ? `SESSION tx_read_only = 1, SESSION max_statement_time = ${timeoutMs / 1000}` : `SESSION transaction_read_only = 1, SESSION max_execution_time = ${Math.ceil(timeoutMs)}`)

const taken = (pool: Pool): Promise<PoolConnection> =>
  new Promise((resolve, reject) => {
    pool.getConnection((error, connection) => (error ? reject(failureOf(error, codeOf)) : resolve(connection)))
  })

const said = (connection: PoolConnection, text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    connection.query(text, (error) => (error ? reject(error) : resolve()))
  })

const all = (pool: Pool, text: string): Promise<readonly (readonly unknown[])[]> =>
  new Promise((resolve, reject) => {
    pool.query({ sql: text, rowsAsArray: true }, (error, rows) => (error ? reject(error) : resolve(rows as unknown as readonly (readonly unknown[])[])))
  })

/** Runs the statement as a prepared one; rows are looked at as they arrive. */
function streamed(connection: PoolConnection, { text, values }: EngineQuery, { sink, spoil }: { readonly sink: RowSink; readonly spoil: () => void }): Promise<void> {
  return new Promise((resolve, reject) => {
    let fields: readonly FieldPacket[] = []
    const running = connection.execute({ sql: text, rowsAsArray: true, values: values as never })
    running.on('fields', (described: readonly FieldPacket[] | undefined) => {
      if (!described) return
      fields = described
      sink.describe(described.map((field) => ({ name: field.name, type: typeOf(field) })))
    })
    running.on('result', (row: unknown) => {
      if (!Array.isArray(row) || sink.isFull) return
      if (!sink.push(row.slice(0, sink.width).map((value, index) => cellOf(value, fields[index]))) && sink.result().cut === 'bytes') spoil()
    })
    const fail = (error: Error): void => {
      connection.removeListener('error', fail)
      reject(error)
    }
    // A connection that is lost says so itself, not by the statement that it was running.
    connection.on('error', fail)
    running.on('error', fail)
    running.on('end', () => {
      connection.removeListener('error', fail)
      resolve()
    })
  })
}

const TYPE_NAMES: ReadonlyMap<number, string> = new Map([
  [0, 'decimal'], [1, 'tinyint'], [2, 'smallint'], [3, 'int'], [4, 'float'], [5, 'double'], [7, 'timestamp'], [8, 'bigint'], [9, 'mediumint'], [10, 'date'], [11, 'time'], [12, 'datetime'], [13, 'year'], [15, 'varchar'],
  [16, 'bit'], [245, 'json'], [246, 'decimal'], [247, 'enum'], [248, 'set'], [249, 'tinyblob'], [250, 'mediumblob'], [251, 'longblob'], [252, 'blob'], [253, 'varchar'], [254, 'char'], [255, 'geometry'],
])

const BINARY_CHARSET = 63
const typeOf = ({ columnType, charsetNr }: FieldPacket & { readonly columnType?: number; readonly charsetNr?: number }): string => {
  const name = TYPE_NAMES.get(columnType ?? -1) ?? ''
  return name.endsWith('blob') && charsetNr !== BINARY_CHARSET ? 'text' : name
}

function cellOf(value: unknown, field: FieldPacket | undefined): Cell {
  if (value instanceof Uint8Array) return bytesCell(value)
  if (typeof value === 'bigint') return String(value)
  if (typeof value === 'string' && field && typeOf(field) === 'json') return jsonCell(value)
  return (value ?? null) as Cell
}

interface Watched {
  readonly query: EngineQuery
  readonly signal: AbortSignal
  readonly spoil: () => void
  readonly overflow: () => void
}

function watch(connection: PoolConnection, { query: { limits }, signal, spoil, overflow }: Watched): () => void {
  const { stream } = connection as unknown as { stream: NodeJS.ReadableStream }
  let left = limits.maxBytes * 2 + SPARE_BYTES
  const count = (chunk: Buffer): void => {
    left -= chunk.length
    if (left >= 0) return
    overflow()
    spoil()
  }
  const late = setTimeout(spoil, limits.timeoutMs + GRACE_MS)
  stream.on('data', count)
  signal.addEventListener('abort', spoil, { once: true })
  return () => {
    clearTimeout(late)
    stream.removeListener('data', count)
    signal.removeEventListener('abort', spoil)
  }
}

/** Ends a running query over another connection, then lets both go. */
function kill(busy: PoolConnection, fresh: Connection): void {
  fresh.on('error', () => undefined)
  fresh.query(`KILL QUERY ${Number(busy.threadId)}`, () => {
    fresh.destroy()
    busy.destroy()
  })
}

/** Numbers as `my1054`; what the driver itself says by its word. */
const codeOf = (error: unknown): string => {
  const { errno, code } = (error ?? {}) as { errno?: number; code?: string }
  return typeof errno === 'number' && errno > 0 ? `my${errno}` : String(code ?? 'EUNKNOWN')
}
