/** The user's own tables: files become tables that `sql_query` reads. */

export { isTypeName } from './column-types.ts'
export { createCsvReader } from './csv-reader.ts'
export { CHANGED, LoadError } from './load-error.ts'
export { loadTable } from './load-table.ts'
export type { LoadedTable, LoadOptions, TextFile } from './load-table.ts'
export { plainName, tableName } from './names.ts'
export { createNdjsonReader } from './ndjson-reader.ts'
export type { RowReader } from './row-reader.ts'
export { dropTables, listTables, runScript } from './tables.ts'
export type { OwnTable } from './tables.ts'
