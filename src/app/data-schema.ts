/** The schema of the data family as an administrator applies it: printed, or applied over the write connection. */

import type { Settings } from '../config/index.ts'
import type { Database } from '../kernel/ports/database.ts'
import { createPostgresDatabase, isPostgres, migrationScript, stateSchema } from '../services/database/index.ts'
import { rebuildSql, vectorMigrations } from '../services/vectors/index.ts'
import { collectionSchema, collectionsOf, createDatabase, isEmbedded } from './data.ts'

const MADE = '-- Made by `arrowhead data init --sql`. It can be run again: a step that was applied is passed over.\n'

const LOGINS = `
-- Logins of your own, which take a role for the statements that need it and reach no collection otherwise:
--   create role arrowhead_read login noinherit password '...';   grant arrowhead_searcher to arrowhead_read;
--   create role arrowhead_write login noinherit password '...';  grant arrowhead_writer to arrowhead_write;
--   grant select on the tables that sql_query may read to arrowhead_read;
`

/** Collections with their roles, for the settings given; one named doc_chunks where none is named. */
export const vectorSchemaSql = (settings: Settings): string =>
  `${MADE}${LOGINS}\n${migrationScript(vectorMigrations(collectionSchema(settings, collectionsOf(settings) ?? ['doc_chunks'])))}`

const STATE_LOGIN = `
-- A login of your own, for ARROWHEAD_MEMORY_DSN:
--   create role arrowhead_app login password '...';  grant arrowhead_memory to arrowhead_app;
`

/** This server's own state, for installations that keep it on a Postgres server. */
export const memorySchemaSql = (): string => `${MADE}${STATE_LOGIN}\n${migrationScript(stateSchema())}`

export interface InitOptions {
  readonly folder: string
  /** Empties every collection and makes it anew, for other dimensions or columns. */
  readonly rebuild: boolean
  /** Told before each step: how many are done, of all. */
  readonly onStep?: (done: number, total: number) => void
}

/** @returns what was done, one line each. @throws Refusal, StatementError as `Database.migrate` does. */
export async function initData(settings: Settings, { folder, rebuild, onStep = () => {} }: InitOptions): Promise<readonly string[]> {
  const steps = 2 + (rebuild ? (collectionsOf(settings)?.length ?? 0) : 0)
  onStep(0, steps)
  const state = await initState(settings)
  const database = createDatabase(settings, { folder })
  try {
    onStep(1, steps)
    const applied = await database.migrate(vectorMigrations(collectionSchema(settings)))
    const done = [...state, ...applied.map((name) => `applied ${name}`)]
    return rebuild ? [...done, ...(await rebuildAll(settings, { database, applied, onMade: (made) => onStep(2 + made, steps) }))] : done
  } finally {
    await database.close()
  }
}

/** The tables of ARROWHEAD_MEMORY_DSN, where one is set, with the rights of that login. */
export async function initState({ memoryDsn }: Pick<Settings, 'memoryDsn'>): Promise<readonly string[]> {
  if (!isPostgres(memoryDsn)) return []
  const database = createPostgresDatabase({ writeDsn: memoryDsn })
  try {
    return (await database.migrate(stateSchema())).map((name) => `applied ${name}`)
  } finally {
    await database.close()
  }
}

interface Rebuild {
  readonly database: Database
  readonly applied: readonly string[]
  readonly onMade: (made: number) => void
}

async function rebuildAll(settings: Settings, { database, applied, onMade }: Rebuild): Promise<readonly string[]> {
  const schema = collectionSchema(settings)
  const old = schema.collections.filter((collection) => !applied.includes(`vectors.collection:${collection.toLowerCase()}`))
  // One name for each run: a step is otherwise applied once and never again.
  for (const [at, collection] of old.entries()) {
    onMade(at)
    await database.migrate([{ name: `vectors.rebuild:${collection.toLowerCase()}:${Date.now().toString(36)}`, sql: rebuildSql(collection, schema) }])
  }
  return old.map((collection) => `emptied and made anew: ${collection}; run doc_index`)
}

/** Where the schema goes, in words that hold no credential. */
export const placeOfData = (settings: Settings): string => (isEmbedded(settings) ? 'the embedded database' : 'the server of ARROWHEAD_VECTOR_WRITE_DSN')
