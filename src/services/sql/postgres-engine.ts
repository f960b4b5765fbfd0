/**
 * Postgres over a pool. Each query has a read-only transaction of its own that is rolled back, with the
 * database's own time-outs; leaving early cancels the statement in the database.
 */

import type { Client, Pool, PoolClient, PoolConfig } from 'pg'
import { rowsOf } from './engine-port.ts'
import type { EngineQuery, EngineRows, SqlEngine, TableShape } from './engine-port.ts'
import { failureOf, tooCostly } from './failures.ts'
import { createOpening, PostgresPortion, UnwantedCopy } from './postgres-portal.ts'
import type { Opening } from './postgres-portal.ts'
import { createRowSink } from './row-sink.ts'
import { shapesOf } from './table-shapes.ts'

export interface PostgresOptions {
  readonly url: string
  /** Connections at once; more queries wait. @default 4 */
  readonly maxConnections?: number
  /** Schemas in which no bare name is looked up, although a login that has the name of one would. */
  readonly notDefault?: readonly string[]
}

const CONNECT_MS = 10_000
/** The database stops a statement itself; this much later the connection is ended. */
const GRACE_MS = 2_000
/** A reader waits for nobody who changes tables. */
const LOCK_MS = 2_000
const IDLE_MS = 60_000
/** Bytes that the database may send beyond those that are wanted: type names, a portion too much. */
const SPARE_BYTES = 1_000_000

const DEFAULT_SCHEMA = `SELECT s.name::text AS schema FROM pg_catalog.unnest(pg_catalog.current_schemas(false)) WITH ORDINALITY AS s (name, place)
WHERE s.name::text <> ALL ($1::text[]) ORDER BY s.place LIMIT 1`

const TABLES = `SELECT n.nspname, c.relname, a.attname, pg_catalog.format_type(a.atttypid, a.atttypmod)
FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid
WHERE c.relkind IN ('r', 'v', 'm', 'f', 'p') AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema' AND a.attnum > 0 AND NOT a.attisdropped
AND pg_catalog.has_schema_privilege(n.oid, 'USAGE') AND pg_catalog.has_column_privilege(c.oid, a.attnum, 'SELECT') ORDER BY 1, 2, a.attnum`

/** Those over the rows of a table are columns that the operator computes. */
const FIELD_FUNCTIONS = `SELECT DISTINCT p.proname FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_type t ON t.oid = p.proargtypes[0]
WHERE p.pronamespace = pg_catalog.current_schema()::pg_catalog.regnamespace AND p.pronargs - p.pronargdefaults <= 1 AND t.typtype <> 'c'`
/** Statements that are remembered as such whose rows were too many bytes. */
const MAX_WIDE = 500
/** How long a list of functions is believed. */
const FUNCTIONS_MS = 60_000

interface Opened {
  readonly pool: Pool
  readonly newClient: () => Client
  readonly schema: string
}

export function createPostgresEngine({ url, maxConnections = 4, notDefault = [] }: PostgresOptions): SqlEngine {
  let opened: Promise<Opened> | undefined
  const openings = new Map<number, Opening>()
  const wide = new Set<string>()
  let functions: { readonly names: Promise<ReadonlySet<string>>; readonly sinceMs: number } | undefined

  const open = async (): Promise<Opened> => {
    const { default: pg } = await import('pg')
    const config: PoolConfig = { connectionString: url, max: maxConnections, connectionTimeoutMillis: CONNECT_MS, idleTimeoutMillis: 30_000, allowExitOnIdle: true, application_name: 'arrowhead' }
    const pool = new pg.Pool(config)
    // A connection that breaks is replaced. Who waits for it hears of it by the query; unheard, it would end the process.
    pool.on('error', () => undefined)
    pool.on('connect', (client) => void client.on('error', () => undefined))
    try {
      const { rows } = await pool.query<{ schema: string }>(DEFAULT_SCHEMA, [notDefault])
      return { pool, newClient: () => new pg.Client({ connectionString: url }), schema: rows[0]?.schema ?? 'public' }
    } catch (error) {
      await pool.end()
      throw failureOf(error, codeOf)
    }
  }
  /** A database that was away at first is asked again by the next query. */
  const ready = (): Promise<Opened> => {
    opened ??= open().catch((error) => {
      opened = undefined
      throw error
    })
    return opened
  }

  const run = async (query: EngineQuery, signal: AbortSignal): Promise<EngineRows> => {
    const { pool, newClient, schema } = await ready()
    signal.throwIfAborted()
    const client = await pool.connect().catch((error: unknown) => {
      throw failureOf(error, codeOf)
    })
    if (signal.aborted) client.release()
    signal.throwIfAborted()
    const sink = createRowSink(query.limits)
    let spoilt = false
    const spoil = (): void => {
      spoilt = true
      stopElsewhere(client, newClient())
      streamOf(client).destroy()
    }
    let isOver = false
    const release = watch(client, { query, signal, spoil, overflow: () => sink.overflow() })
    try {
      let portion: PostgresPortion | undefined = new PostgresPortion({ query, sink, opening: openingFor(query.limits.timeoutMs, schema), atOnce: !wide.has(query.text) })
      while (portion) {
        client.query(portion as never)
        portion = await portion.done
      }
      isOver = client.getTransactionStatus() === 'I'
      return kept(query.text, sink.result())
    } catch (error) {
      signal.throwIfAborted()
      if (spoilt && sink.isFull) return kept(query.text, sink.result())
      if (error instanceof UnwantedCopy) {
        spoil()
        throw failureOf(error, codeOf)
      }
      throw spoilt ? tooCostly() : failureOf(error, codeOf)
    } finally {
      release()
      end(client, { spoilt, isOver })
    }
  }

  const openingFor = (timeoutMs: number, schema: string): Opening => {
    const opening = openings.get(timeoutMs) ?? createOpening(beginning(timeoutMs, schema))
    openings.set(timeoutMs, opening)
    return opening
  }
  /** What turned out to say too much comes in portions from then on, which end without breaking a connection. The limits are the same. */
  const kept = (text: string, rows: EngineRows): EngineRows => {
    wide.delete(text)
    if (rows.cut === 'bytes') wide.add(text)
    for (const oldest of wide) {
      if (wide.size <= MAX_WIDE) break
      wide.delete(oldest)
    }
    return rows
  }

  return {
    dialect: 'postgres',
    defaultSchema: async () => (await ready()).schema,
    query: run,
    async tables(limit, signal): Promise<readonly TableShape[]> {
      const limits = { maxRows: limit * 20, maxBytes: 4_000_000, maxColumns: 4, timeoutMs: 10_000 }
      return shapesOf(rowsOf(await run({ text: TABLES, values: [], limits }, signal)), limit)
    },
    fieldFunctions() {
      if (functions && performance.now() - functions.sinceMs < FUNCTIONS_MS) return functions.names
      const limits = { maxRows: 100_000, maxBytes: 10_000_000, maxColumns: 1, timeoutMs: 10_000 }
      const names = run({ text: FIELD_FUNCTIONS, values: [], limits }, new AbortController().signal).then((answer) => new Set(rowsOf(answer).map(([name]) => String(name))))
      functions = { names, sinceMs: performance.now() }
      names.catch(() => void (functions = undefined))
      return names
    },
    async close() {
      const { pool } = (await opened?.catch(() => undefined)) ?? {}
      opened = undefined
      await pool?.end()
    },
  }
}

/**
 * Set anew for each query and in its own transaction, so that neither a session nor a pool between decides.
 * Unqualified names have one schema to be in, beside the catalogue's own.
 */
const beginning = (timeoutMs: number, schema: string): readonly string[] => [
  'BEGIN READ ONLY', `SET LOCAL statement_timeout = ${Math.ceil(timeoutMs)}`, `SET LOCAL lock_timeout = ${LOCK_MS}`, `SET LOCAL idle_in_transaction_session_timeout = ${IDLE_MS}`,
  `SET LOCAL search_path = "${schema.replaceAll('"', '""')}"`, 'SET LOCAL standard_conforming_strings = on', "SET LOCAL datestyle = 'ISO'",
]

const streamOf = (client: PoolClient): NodeJS.ReadableStream & { destroy(): void } => (client as unknown as { connection: { stream: NodeJS.ReadableStream & { destroy(): void } } }).connection.stream

interface Watched {
  readonly query: EngineQuery
  readonly signal: AbortSignal
  readonly spoil: () => void
  readonly overflow: () => void
}

/** Ends the statement when the caller leaves, when the database overlooks its time-out, or when it sends far too much. */
function watch(client: PoolClient, { query: { limits }, signal, spoil, overflow }: Watched): () => void {
  const stream = streamOf(client)
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

/** Mostly the rollback came along; otherwise the caller does not wait for it. A connection in doubt is thrown away. */
function end(client: PoolClient, { spoilt, isOver }: { readonly spoilt: boolean; readonly isOver: boolean }): void {
  if (spoilt) return client.release(true)
  if (isOver) return client.release()
  client.query('ROLLBACK').then(
    () => client.release(),
    () => client.release(true),
  )
}

/** Cancels what a connection runs, over another one (Postgres documentation, §54.2.9). */
function stopElsewhere(busy: PoolClient, fresh: Client): void {
  type Wired = { processID: number; secretKey: number; host: string; port: number; connection: { connect(port: number | string, host?: string): void; on(event: string, then: (error?: Error) => void): void; cancel(pid: number, key: number): void; end(): void } }
  const { processID, secretKey } = busy as unknown as Wired
  const { connection, host, port } = fresh as unknown as Wired
  connection.on('error', () => undefined)
  connection.on('connect', () => {
    connection.cancel(processID, secretKey)
    connection.end()
  })
  if (host.startsWith('/')) connection.connect(`${host}/.s.PGSQL.${port}`)
  else connection.connect(port, host)
}

const codeOf = (error: unknown): string => String((error as { code?: unknown } | undefined)?.code ?? 'EUNKNOWN')
