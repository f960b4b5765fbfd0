/**
 * A Postgres server behind the port: a pool with limits, a time limit that the server enforces, and cancellation by
 * a second connection. Reads and writes have a connection string each, so reads cannot write even if all else failed.
 */

import type { Client as PgClient, Pool as PgPool, PoolClient, QueryArrayResult } from 'pg'
import type { Database, DatabaseRole, Rows, Session, Statement } from '../../kernel/ports/database.ts'
import { StatementError } from '../../kernel/ports/database.ts'
import { refusal } from '../../kernel/refusal.ts'
import { rowReader } from './bounded-rows.ts'
import type { Answer, Ask } from './bounded-rows.ts'
import { connectionString } from './connection-string.ts'
import { throughCursor } from './cursor-rows.ts'
import { FURTHER, isReadOnly, jobOf, searchPathOf, tuningOf } from './job.ts'
import type { Job } from './job.ts'
import { applyMigrations } from './migrations.ts'

export interface PostgresDatabaseOptions {
  /** Serves `reader` and `searcher`. `postgresql+asyncpg://` and its like are understood. */
  readonly readDsn?: string | undefined
  /** Serves `writer` and `owner`. */
  readonly writeDsn?: string | undefined
  /** Connections of each. @default 8 */
  readonly maxConnections?: number
  /** Longest time until a connection is there, in milliseconds. @default 5,000 */
  readonly connectMs?: number
}

type Pools = Readonly<Record<'read' | 'write', () => Promise<PgPool>>>

const CLASSES_OF_LOSS = /^(08|57P|53)/
const SPARE_MS = 2000

export function createPostgresDatabase(options: PostgresDatabaseOptions): Database {
  const opened: Promise<PgPool>[] = []
  const pools: Pools = { read: lazyPool(options.readDsn, options, opened), write: lazyPool(options.writeDsn, options, opened) }
  const transaction = async (statements: readonly Statement[], session: Session): Promise<readonly Rows[]> => {
    session.signal?.throwIfAborted()
    const pool = await poolFor(pools, session.role)
    const client = await connect(pool)
    return attempt(client, { pool, session, job: jobOf(statements, session) })
  }
  return {
    transaction,
    query: async (statement, session) => (await transaction([statement], session))[0] ?? NOTHING,
    async migrate(migrations) {
      const pool = await pools.write()
      return applyMigrations(migrations, (sql, scripts, values = []) => step(pool, { sql, scripts, values }))
    },
    async close() {
      for (const pool of opened) await (await pool).end()
    },
  }
}

const reader = rowReader()
const READS = /^(SELECT|FETCH)$/

/** One statement only: without values the driver would use the protocol that takes many. */
const EXTENDED = { rowMode: 'array', queryMode: 'extended' } as const

const askOn = (client: PoolClient): Ask => async (text, values): Promise<Answer> => {
  const given = values.map((value) => (value === null || typeof value === 'string' ? value : Buffer.from(value.base64, 'base64')))
  const answer: QueryArrayResult = await client.query({ text, values: given, ...EXTENDED })
  return { rows: answer.rows, fields: answer.fields, affectedRows: READS.test(answer.command) ? 0 : (answer.rowCount ?? 0) }
}

const NOTHING: Rows = { columns: [], rows: [], truncated: false, changed: 0 }

const poolFor = (pools: Pools, role: DatabaseRole): Promise<PgPool> => (isReadOnly(role) ? pools.read() : pools.write())

function lazyPool(dsn: string | undefined, { maxConnections = 8, connectMs = 5000 }: PostgresDatabaseOptions, opened: Promise<PgPool>[]): () => Promise<PgPool> {
  let pool: Promise<PgPool> | undefined
  const open = async (given: string): Promise<PgPool> => {
    const { default: pg } = await import('pg')
    const made = new pg.Pool({
      connectionString: connectionString(given), max: maxConnections, connectionTimeoutMillis: connectMs, idleTimeoutMillis: 30_000,
      allowExitOnIdle: true, application_name: 'arrowhead', types: { getTypeParser: () => (text: unknown) => text },
    } as ConstructorParameters<typeof pg.Pool>[0])
    // An idle connection that breaks is replaced by the next statement; unheard, it would end the process.
    made.on('error', () => {})
    return made
  }
  return () => {
    if (dsn === undefined) throw refusal('data.unconfigured', 'no connection of this kind is set')
    if (!pool) opened.push((pool = open(dsn)))
    return pool
  }
}

interface Attempt {
  readonly pool: PgPool
  readonly session: Session
  readonly job: Job
}

async function connect(pool: PgPool): Promise<PoolClient> {
  try {
    return await pool.connect()
  } catch (error) {
    throw translated(error, undefined)
  }
}

async function attempt(client: PoolClient, { pool, session, job }: Attempt): Promise<readonly Rows[]> {
  const { signal, role } = session
  let broken = false
  const cancel = (): void => void cancelBackend(pool, client)
  // The server's own limit comes first; this one is for a server that does not answer.
  const timer = setTimeout(() => {
    broken = true
    client.release(true)
  }, job.timeoutMs + SPARE_MS)
  const onBreak = (): void => void (broken = true)
  client.on('error', onBreak)
  signal?.addEventListener('abort', cancel, { once: true })
  const ask = askOn(client)
  try {
    await client.query(beginOn(role, job.timeoutMs))
    const results: Rows[] = []
    for (const text of job.statements) results.push(await (job.cursor ? throughCursor(reader, ask, { text, caps: job }) : reader.direct(ask, text, job)))
    await client.query('COMMIT')
    return results
  } catch (error) {
    if (!broken) await client.query('ROLLBACK').catch(onBreak)
    throw broken ? timedOut(signal) : translated(error, signal)
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', cancel)
    client.off('error', onBreak)
    if (!broken) client.release()
    else releaseOnce(client)
  }
}

/** The pool throws for a connection that was given back before. */
function releaseOnce(client: PoolClient): void {
  try {
    client.release(true)
  } catch {
    // Given back by its deadline.
  }
}

const beginOn = (role: DatabaseRole, timeoutMs: number): string =>
  `BEGIN${isReadOnly(role) ? ' READ ONLY' : ''}; SET LOCAL search_path TO ${searchPathOf(role)};${tuningOf(role)} ` +
  `SET LOCAL statement_timeout = ${Math.ceil(timeoutMs)}; SET LOCAL lock_timeout = ${Math.min(5000, Math.ceil(timeoutMs))}; ` +
  `SET LOCAL idle_in_transaction_session_timeout = ${Math.ceil(timeoutMs) + SPARE_MS}; ${role === 'searcher' ? GO_FURTHER : ''}${takeRole(role)}`

/** Earlier versions of pgvector do not know it, and refuse what they do not know. */
const GO_FURTHER = `select set_config('${FURTHER[0]}', '${FURTHER[1]}', true) from pg_extension where extname = 'vector' and extversion !~ '^0[.][0-7]([.]|$)'; `

/**
 * A login that is a member of our role, best one that does not inherit its rights, takes it for these statements
 * alone. So the same login cannot reach a collection where it runs a caller's query.
 */
const takeRole = (role: DatabaseRole): string =>
  role === 'searcher' || role === 'writer'
    ? `select set_config('role', rolname, true) from pg_roles where rolname = 'arrowhead_${role}' and pg_has_role(oid, 'member')`
    : ''

/** Ends the statement that runs on a connection. Its own role may do that. */
async function cancelBackend(pool: PgPool, client: PoolClient): Promise<void> {
  const { processID } = client as unknown as { readonly processID?: number }
  if (processID === undefined) return
  const { default: pg } = await import('pg')
  const other: PgClient = new pg.Client({ ...pool.options, max: 1 } as ConstructorParameters<typeof pg.Client>[0])
  other.on('error', () => {})
  try {
    await other.connect()
    await other.query('select pg_cancel_backend($1)', [processID])
  } catch {
    // The statement's own time limit still ends it.
  }
  await other.end().catch(() => {})
}

async function step(pool: PgPool, { sql, scripts, values }: { sql: string; scripts: boolean; values: readonly string[] }): Promise<Rows> {
  const client = await connect(pool)
  try {
    if (!scripts) return await reader.direct(askOn(client), { sql, values }, { maxRows: 10_000, maxBytes: 8_000_000, maxColumns: 100 })
    await client.query(`BEGIN;\n${sql}\nCOMMIT;`)
    return NOTHING
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {})
    throw translated(error, undefined)
  } finally {
    client.release()
  }
}

const timedOut = (signal: AbortSignal | undefined): unknown => (signal?.aborted ? signal.reason : refusal('database.timeout'))

function translated(error: unknown, signal: AbortSignal | undefined): unknown {
  const { code, message } = error as { code?: unknown; message?: unknown }
  if (code === '57014') return timedOut(signal)
  const isState = typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && /\d/.test(code)
  if (isState && !CLASSES_OF_LOSS.test(code)) return new StatementError(code, String(message))
  if (error instanceof Error && error.name === 'Refusal') return error
  return refusal('database.unavailable', undefined, typeof code === 'string' ? code : 'connection')
}
