/** Collections of chunks: searching them, and filling them from documents. */

export { tableOf } from './columns.ts'
export type { ColumnNames } from './columns.ts'
export { DEFAULT_COLUMNS } from './columns.ts'
export type { Documents, IndexLimits } from './index-documents.ts'
export type { CollectionSchema } from './schema.ts'
export { rebuildSql, vectorMigrations } from './schema.ts'
export { createVectors } from './vectors.ts'
