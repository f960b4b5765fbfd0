import { expect } from 'vitest'
import { createArrowhead } from '../../../src/index.ts'
import { openSqlite } from '../../adapters/sql-databases.ts'
import { codeOf } from '../probes.ts'
import type { Area } from '../proves.ts'
import type { World } from '../world.ts'

/** A server over a file with tables, and the codes that its answers come to. */
async function served({ folder, later }: World, prefix: string): Promise<{ codes(queries: readonly string[]): Promise<readonly string[]>; count(): Promise<string> }> {
  const database = await openSqlite()
  const authzPolicy = JSON.stringify({ grants: [{ subject: '*', actions: ['query'], kinds: ['table'], prefix }] })
  const arrowhead = createArrowhead({ sqlDsn: database.dsn, authzPolicy, rateLimitEnabled: false, profile: 'full' }, { dataDir: folder(), replace: { trail: null } })
  later(() => database.close())
  later(() => arrowhead.close())
  const ask = (query: string) => arrowhead.asLocal().outcome({ kind: 'tool', name: 'sql_query', args: { query } })
  return {
    codes: async (queries) => {
      const codes: string[] = []
      // One at a time: what waits for the parser behind six others may be out of time on a busy machine.
      for (const query of queries) codes.push(codeOf(await ask(query)))
      return codes
    },
    count: async () => JSON.stringify(await ask('SELECT count(*) FROM users')),
  }
}

export const sql: Area = (proves) => {
  proves('sql.read-only', 'writes, second statements and commands are refused, and nothing has changed', async (world) => {
    const { codes, count } = await served(world, '')
    const writes = ['DELETE FROM users', 'SELECT 1 FROM users; DELETE FROM users', 'WITH d AS (DELETE FROM users RETURNING 1) SELECT * FROM d', "ATTACH '/tmp/x' AS z", 'PRAGMA query_only = 0', '/* SELECT */ DROP TABLE users', 'VACUUM']
    expect((await codes(writes)).filter((code) => !['sql.not-read-only', 'sql.statements', 'sql.syntax'].includes(code))).toEqual([])
    expect(await count()).toContain('[[3]]')
  })

  proves('sql.functions', 'a function off the list is refused wherever it stands', async (world) => {
    const { codes } = await served(world, '')
    const calls = ["SELECT load_extension('x') FROM users", "SELECT * FROM users ORDER BY (SELECT readfile('/etc/passwd'))", "SELECT * FROM users, fsdir('/')", 'SELECT "writefile"(1, 2) FROM users']
    expect(new Set(await codes(calls))).toEqual(new Set(['sql.function']))
    expect(await codes(['SELECT upper(name) FROM users'])).toEqual(['ok'])
  })

  proves('sql.every-table', 'a table is authorised wherever a query names it', async (world) => {
    const { codes } = await served(world, 'users')
    const reaches = ['SELECT * FROM orders', 'SELECT * FROM users, orders', 'SELECT (SELECT max(total) FROM orders) FROM users', 'WITH users AS (SELECT * FROM orders) SELECT * FROM users', 'SELECT id FROM users UNION SELECT id FROM main.ORDERS', 'SELECT * FROM users WHERE id IN orders', 'SELECT 1']
    expect(new Set(await codes(reaches))).toEqual(new Set(['access.denied']))
    expect(await codes(['SELECT * FROM users', 'WITH orders AS (SELECT * FROM users) SELECT * FROM orders'])).toEqual(['ok', 'ok'])
  })
}
