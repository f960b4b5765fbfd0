/** Imports of source code. */

export { createImportReader } from './import-reader.ts'
