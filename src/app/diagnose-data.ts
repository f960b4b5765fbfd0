/** The checks behind `doctor` for the data family: the database that callers query, and the one that collections live in. */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError } from '../config/index.ts'
import type { Settings } from '../config/index.ts'
import { StatementError } from '../kernel/ports/database.ts'
import { tableOf } from '../services/vectors/index.ts'
import { collectionsOf, createDatabase, isEmbedded } from './data.ts'
import { fail, ok, said, visible } from './finding.ts'
import type { Finding } from './finding.ts'
import { openSql } from './sql.ts'

const TIMEOUT_MS = 20_000
/** A table or schema that is not there (PostgreSQL, Appendix A). */
const MISSING: ReadonlySet<string> = new Set(['42P01', '3F000'])

/** Asks the smallest question there is, the way that sql_query goes. */
export async function diagnoseSql(settings: Settings): Promise<Finding> {
  if (settings.sqlDsn === undefined) return ok('sql_query asks the embedded database')
  try {
    const { sql, close } = openSql(settings)
    try {
      const { dialect } = await sql.run('SELECT 1', {}, { subject: 'doctor', signal: AbortSignal.timeout(TIMEOUT_MS) })
      return ok(`the ${dialect} database of ARROWHEAD_SQL_DSN answers`)
    } finally {
      await close()
    }
  } catch (error) {
    return fail(`the database of ARROWHEAD_SQL_DSN cannot be used: ${error instanceof ConfigError ? error.problems.join('; ') : said(error)}`, 'start it, or correct ARROWHEAD_SQL_DSN: address, login, name, certificate')
  }
}

export async function diagnoseCollections(settings: Settings, dataDir: string): Promise<Finding> {
  const collections = collectionsOf(settings)
  if (collections === undefined) return ok('no collections are set')
  if (isEmbedded(settings) && !existsSync(join(dataDir, 'postgres-18'))) return ok('the embedded database is made when it is first used')
  const database = createDatabase(settings, { folder: dataDir })
  try {
    for (const collection of collections) {
      await database.query({ sql: `select 1 from ${tableOf(collection)} limit 1` }, { role: 'searcher', timeoutMs: TIMEOUT_MS })
    }
    return ok(`the collections are there: ${collections.join(', ')}`)
  } catch (error) {
    if (!(error instanceof StatementError)) return fail(`the database of the collections cannot be used: ${said(error)}`, isEmbedded(settings) ? 'stop whatever holds it; a copy that is whole is put back by arrowhead restore' : 'start it, or correct ARROWHEAD_SQL_DSN and ARROWHEAD_VECTOR_WRITE_DSN')
    return isEmbedded(settings) && MISSING.has(error.sqlState)
      ? ok('the embedded database has no collection yet; the first use makes it')
      : fail(`a collection cannot be searched (SQLSTATE ${visible(error.sqlState)})`, 'run arrowhead data init, or grant arrowhead_searcher to the login of ARROWHEAD_SQL_DSN')
  } finally {
    await database.close()
  }
}
