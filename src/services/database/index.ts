/** Postgres behind one port: embedded, or a server. */

export { isPostgres } from './connection-string.ts'
export type { EmbeddedDatabaseOptions } from './embedded-database.ts'
export { createEmbeddedDatabase } from './embedded-database.ts'
export { migrationScript } from './migrations.ts'
export type { PostgresDatabaseOptions } from './postgres-database.ts'
export { createPostgresDatabase } from './postgres-database.ts'
export type { PostgresStoreOptions } from './postgres-store.ts'
export { createPostgresStore } from './postgres-store.ts'
export { stateSchema } from './state-schema.ts'
export { makeTemplate } from './template.ts'
