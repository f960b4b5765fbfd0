/**
 * This server's own state on a Postgres server: a pool with limits, time limits on both sides, one writer at a time
 * under a lock. What never happened is tried again until its time is over. A commit whose answer was lost is looked up
 * by the number of its transaction, so it counts once and is told as what it came to.
 */

import { setTimeout as pause } from 'node:timers/promises'
import type { Pool as PgPool, PoolClient } from 'pg'
import { get } from '../../kernel/ports/store.ts'
import type { Steps, Store, StoreAnswer, StoreValue } from '../../kernel/ports/store.ts'
import { Refusal, refusal } from '../../kernel/refusal.ts'
import { connectionString } from './connection-string.ts'

export interface PostgresStoreOptions {
  /** `postgresql+asyncpg://` and its like are understood. */
  readonly dsn: string
  /** @default 8 */
  readonly maxConnections?: number
  /** Longest time of one unit of work, waiting included, in milliseconds. @default 10,000 */
  readonly timeoutMs?: number
}

/** Longest time of one unit of work where none is given, in milliseconds. */
export const STORE_TIMEOUT_MS = 10_000
const [MAX_CONNECTIONS, CONNECT_MS] = [8, 2_000]
/** The server's limits come first; the driver's is for a server that does not answer. */
const SPARE_MS = 1_000
const PAUSE_MS = [20, 250] as const
/** Serialisation failure and deadlock: nothing happened. */
const AGAIN = /^40(?:001|P01)$/
const LOSS = /^(?:08|57P|53)/
const STATUS = 'SELECT txid_status(CAST(? AS bigint)) AS status'
const NUMBER = 'select txid_current()::text as number'
const [NO_TABLE, NO_SCHEMA, NO_RIGHT] = ['42P01', '3F000', '42501']
const INT8 = 20

/** Opens nothing before the first use. */
export function createPostgresStore({ dsn, maxConnections = MAX_CONNECTIONS, timeoutMs = STORE_TIMEOUT_MS }: PostgresStoreOptions): Store {
  let opened: Promise<PgPool> | undefined
  let closed = false
  const open = async (): Promise<PgPool> => {
    const { default: pg } = await import('pg')
    const made = new pg.Pool({
      connectionString: connectionString(dsn), max: maxConnections, connectionTimeoutMillis: Math.min(CONNECT_MS, timeoutMs), idleTimeoutMillis: 30_000, allowExitOnIdle: true,
      application_name: 'arrowhead', statement_timeout: timeoutMs, lock_timeout: timeoutMs, query_timeout: timeoutMs + SPARE_MS, idle_in_transaction_session_timeout: timeoutMs + SPARE_MS,
      options: '-c search_path=arrowhead -c client_encoding=UTF8',
      types: { getTypeParser: (oid: number, format?: string) => (oid === INT8 ? Number : pg.types.getTypeParser(oid, format as 'text')) },
    } as ConstructorParameters<typeof pg.Pool>[0])
    // An idle connection that breaks is replaced by the next; unheard, it would end the process.
    made.on('error', () => {})
    return made
  }

  const connected = async (): Promise<PoolClient> => {
    if (closed) throw refusal('database.unavailable', undefined, 'closed')
    return (await (opened ??= open())).connect().catch((error: unknown) => {
      throw new Unstarted(error)
    })
  }
  const attempt = async <T>(mode: 'read' | 'write', work: () => Steps<T>, lock: string | undefined): Promise<T> =>
    mode === 'read' ? reading(await connected(), work) : writing(await connected(), work, lock)

  /** Whether a transaction whose end was not heard of was committed. @throws what a try throws, and while it still runs. */
  const isCommitted = async (number: string): Promise<boolean> => {
    const status = (await reading(await connected(), () => get(STATUS, number)))?.['status']
    if (status !== 'committed' && status !== 'aborted') throw new Unstarted(new Error('nobody knows yet'))
    return status === 'committed'
  }

  return {
    async use<T>(mode: 'read' | 'write', work: () => Steps<T>, lock?: string) {
      const deadline = performance.now() + timeoutMs
      let doubt: InDoubt | undefined
      for (let tries = 0; ; tries += 1) {
        try {
          if (doubt !== undefined && (await isCommitted(doubt.number))) return doubt.result as T
          doubt = undefined
          return await attempt(mode, work, lock)
        } catch (error) {
          if (error instanceof InDoubt) doubt = error
          else if (error instanceof Refusal) throw doubt === undefined ? error : unknownEnd()
          const pauseMs = Math.min(PAUSE_MS[0] * 2 ** tries, PAUSE_MS[1]) * (0.5 + Math.random())
          const isOver = closed || performance.now() + pauseMs > deadline
          if (doubt !== undefined ? isOver : isOver || !mayTryAgain(error)) throw doubt === undefined ? translated(error) : unknownEnd()
          await pause(pauseMs)
        }
      }
    },
    async close() {
      closed = true
      await (await opened?.catch(() => undefined))?.end()
    },
  }
}

/** What failed before anything could have been kept. */
class Unstarted extends Error {
  override readonly cause: unknown

  constructor(cause: unknown) {
    super('nothing was begun')
    this.cause = cause
  }
}

/** A commit whose answer was lost: what the work came to, if it did. */
class InDoubt extends Error {
  readonly number: string
  readonly result: unknown

  constructor(number: string, result: unknown) {
    super('the end of a transaction was not heard of')
    this.number = number
    this.result = result
  }
}

const unknownEnd = (): Refusal => refusal('database.unavailable', 'what was asked for may have been done; look before asking again', 'in-doubt')

const codeOf = (error: unknown): string => String((error as { code?: unknown } | undefined)?.code ?? '')

/** The work itself may refuse or be wrong; only what the server or the way to it did is tried again. */
const mayTryAgain = (error: unknown): boolean => error instanceof Unstarted || AGAIN.test(codeOf(error))

async function reading<T>(client: PoolClient, work: () => Steps<T>): Promise<T> {
  const watched = watch(client)
  try {
    return await drive(client, work())
  } catch (error) {
    if (isLoss(error)) watched.breaks()
    throw watched.broken() ? new Unstarted(error) : error
  } finally {
    watched.release()
  }
}

async function writing<T>(client: PoolClient, work: () => Steps<T>, lock: string | undefined): Promise<T> {
  const watched = watch(client)
  let end: InDoubt | undefined
  try {
    await client.query('BEGIN')
    // One lock of 64 bits; two names that share one by chance only wait for each other.
    const { rows } = await client.query(lock === undefined ? { name: 'number', text: NUMBER } : { name: 'lock', text: `${NUMBER}, pg_advisory_xact_lock(hashtextextended($1, 0))`, values: [`arrowhead ${lock}`] })
    const result = await drive(client, work())
    end = new InDoubt(rows[0]?.number, result)
    await client.query('COMMIT')
    return result
  } catch (error) {
    if (isLoss(error)) watched.breaks()
    const lost = watched.broken()
    if (!lost) await client.query('ROLLBACK').catch(watched.breaks)
    if (!lost) throw error
    throw end ?? new Unstarted(error)
  } finally {
    watched.release()
  }
}

function watch(client: PoolClient) {
  let isBroken = false
  const breaks = (): void => void (isBroken = true)
  client.on('error', breaks)
  return {
    breaks,
    broken: () => isBroken,
    release() {
      client.off('error', breaks)
      client.release(isBroken)
    },
  }
}

/** Hands each statement to the server. An error goes to the work, which may know what to do. */
async function drive<T>(client: PoolClient, steps: Steps<T>): Promise<T> {
  let next = steps.next()
  while (next.done !== true) {
    let given: StoreAnswer
    try {
      const { sql, values } = next.value
      const { rows, rowCount } = await client.query({ ...prepared(sql), values: values.map(bound) })
      given = { rows, changes: rowCount ?? 0 }
    } catch (error) {
      next = steps.throw(error)
      continue
    }
    next = steps.next(given)
  }
  return next.value
}

const statements = new Map<string, { readonly name: string; readonly text: string }>()

/** Statements are constants, so each is parsed once a connection. */
function prepared(sql: string): { readonly name: string; readonly text: string } {
  const known = statements.get(sql)
  if (known) return known
  let at = 0
  const made = { name: `s${statements.size}`, text: sql.replace(/\?/g, () => `$${++at}`) }
  statements.set(sql, made)
  return made
}

const bound = (value: StoreValue): unknown => (value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.byteLength) : value)

const isLoss = (error: unknown): boolean => {
  const code = codeOf(error)
  return LOSS.test(code) || !/^[0-9A-Z]{5}$/.test(code) && error instanceof Error && /connection|terminat|timeout|ECONN|EPIPE|socket/i.test(`${code} ${error.message}`)
}

/** The server's own words may hold what a caller wrote, so they stay here. */
function translated(given: unknown): unknown {
  const error = given instanceof Unstarted ? given.cause : given
  const code = codeOf(error)
  if (code === NO_TABLE || code === NO_SCHEMA || code === NO_RIGHT) return refusal('data.unconfigured', 'the operator applies `arrowhead data init` first', code)
  if (code === '57014' || code === '55P03' || /Query read timeout/.test(String((error as Error | undefined)?.message))) return refusal('database.timeout', undefined, code || 'no-answer')
  if (AGAIN.test(code)) return refusal('database.unavailable', 'try again', code)
  return given instanceof Unstarted || isLoss(error) ? refusal('database.unavailable', undefined, code || 'connection') : error
}
