/** A database of a test's own on the Postgres server of ARROWHEAD_TEST_POSTGRES, with the tables of this server's state. */

import pg from 'pg'
import { afterAll, beforeAll, describe, it } from 'vitest'
import type { Store } from '../../src/kernel/ports/store.ts'
import { createPostgresDatabase, createPostgresStore, stateSchema } from '../../src/services/database/index.ts'

export interface StateServer {
  readonly dsn: () => string
  /** Another process over the same database. */
  store(timeoutMs?: number, dsn?: string): Store
  /** Empties every table, and closes what was opened. */
  clear(): Promise<void>
}

const TABLES = 'memory_word, memory, memory_space, memory_account, memory_value, task, working_set_items, working_sets, audit'

/** Tests that need a server; skipped, and said so, where there is none. */
export function onServer(what: string, tests: (server: StateServer) => void): void {
  const url = process.env['ARROWHEAD_TEST_POSTGRES']
  if (url === undefined) {
    describe(`${what} on a server`, () => {
      it.skip('is tested where ARROWHEAD_TEST_POSTGRES names a PostgreSQL (scripts/test-services.sh start postgres)', () => {})
    })
    return
  }
  describe(`${what}, with a PostgreSQL`, () => {
    const name = `state_${process.pid}_${Math.random().toString(36).slice(2)}`
    const own = new URL(url)
    own.pathname = `/${name}`
    let open: Store[] = []
    const asOwner = async (at: string, sql: string): Promise<void> => {
      const client = new pg.Client({ connectionString: at })
      await client.connect()
      await client.query(sql).finally(() => client.end())
    }
    const close = async (): Promise<void> => {
      for (const store of open) await store.close()
      open = []
    }
    beforeAll(async () => {
      await asOwner(url, `create database ${name}`)
      const database = createPostgresDatabase({ writeDsn: own.href })
      await database.migrate(stateSchema())
      await database.close()
    })
    afterAll(async () => {
      await close()
      await asOwner(url, `drop database ${name} with (force)`)
    })
    tests({
      dsn: () => own.href,
      store(timeoutMs = 10_000, dsn = own.href) {
        const store = createPostgresStore({ dsn, timeoutMs })
        open.push(store)
        return store
      },
      async clear() {
        await close()
        await asOwner(own.href, `truncate ${TABLES.split(', ').map((table) => `arrowhead.${table}`).join(', ')} cascade`)
      },
    })
  })
}
