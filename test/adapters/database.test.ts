import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { describe, it } from 'vitest'
import { createEmbeddedDatabase, createPostgresDatabase } from '../../src/services/database/index.ts'
import { testTemplate } from '../../src/services/database/template.fixture.ts'
import { vectorMigrations, DEFAULT_COLUMNS } from '../../src/services/vectors/index.ts'
import { databaseContract } from './database.contract.ts'

const SERVER = process.env['ARROWHEAD_TEST_POSTGRES_VECTOR']

databaseContract('embedded in this machine', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'arrowhead-database-'))
  const template = await testTemplate()
  return { open: () => createEmbeddedDatabase({ folder, template }), remove: async () => rmSync(folder, { recursive: true, force: true }) }
})

if (SERVER === undefined) {
  describe('the database on a server', () => {
    it.skip('is tested where ARROWHEAD_TEST_POSTGRES_VECTOR names a PostgreSQL with pgvector (scripts/test-services.sh starts one)', () => {})
  })
} else {
  databaseContract('on a server', async () => {
    const name = `t_${process.pid}_${Date.now().toString(36)}`
    await asOwner(SERVER, [`create database ${name}`])
    const own = new URL(SERVER)
    own.pathname = `/${name}`
    const setUp = createPostgresDatabase({ writeDsn: own.href })
    await setUp.migrate(vectorMigrations({ collections: [], dimensions: 3, columns: DEFAULT_COLUMNS, language: 'english' }))
    await setUp.close()
    // As `arrowhead data init --sql` advises: logins that inherit nothing, members of the roles that they may take.
    await asOwner(own.href, [`create role r_${name} login noinherit`, `grant arrowhead_searcher to r_${name}`])
    const login = new URL(own)
    login.username = `r_${name}`
    return {
      open: () => createPostgresDatabase({ readDsn: login.href.replace('postgresql:', 'postgresql+asyncpg:'), writeDsn: own.href }),
      remove: () => asOwner(SERVER, [`drop database ${name} with (force)`, `drop role r_${name}`]),
    }
  })
}

async function asOwner(url: string, statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  for (const sql of statements) await client.query(sql)
  await client.end()
}
