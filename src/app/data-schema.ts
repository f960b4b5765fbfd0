/** The schema of the data family as an administrator applies it: printed, or applied over the write connection. */

import type { Settings } from '../config/index.ts'
import type { Database } from '../kernel/ports/database.ts'
import { memorySchema, migrationScript } from '../services/database/index.ts'
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

/** Memories and values that callers keep, for installations that keep them on a server. */
export const memorySchemaSql = (): string => `${MADE}\n${migrationScript(memorySchema())}`

export interface InitOptions {
  readonly folder: string
  /** Empties every collection and makes it anew, for other dimensions or columns. */
  readonly rebuild: boolean
}

/** @returns what was done, one line each. @throws Refusal, StatementError as `Database.migrate` does. */
export async function initData(settings: Settings, { folder, rebuild }: InitOptions): Promise<readonly string[]> {
  const database = createDatabase(settings, { folder })
  try {
    const applied = await database.migrate(vectorMigrations(collectionSchema(settings)))
    const done = applied.map((name) => `applied ${name}`)
    return rebuild ? [...done, ...(await rebuildAll(settings, database, applied))] : done
  } finally {
    await database.close()
  }
}

async function rebuildAll(settings: Settings, database: Database, applied: readonly string[]): Promise<readonly string[]> {
  const schema = collectionSchema(settings)
  const old = schema.collections.filter((collection) => !applied.includes(`vectors.collection:${collection.toLowerCase()}`))
  // One name for each run: a step is otherwise applied once and never again.
  for (const collection of old) await database.migrate([{ name: `vectors.rebuild:${collection.toLowerCase()}:${Date.now().toString(36)}`, sql: rebuildSql(collection, schema) }])
  return old.map((collection) => `emptied and made anew: ${collection}; run doc_index`)
}

/** Where the schema goes, in words that hold no credential. */
export const placeOfData = (settings: Settings): string => (isEmbedded(settings) ? 'the embedded database' : 'the server of ARROWHEAD_VECTOR_WRITE_DSN')
