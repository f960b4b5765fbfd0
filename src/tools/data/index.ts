import type { Family } from '../../kernel/resource.ts'
import { docIndex } from './doc-index.ts'
import { hybridQuery } from './hybrid-query.ts'
import { sqlSchema } from './schema.ts'
import { sqlQuery } from './sql-query.ts'
import { vectorQuery } from './vector-query.ts'
import { vectorSearch } from './vector-search.ts'

/** What the operator's databases hold. */
export const data: Family = {
  name: 'data',
  tools: [docIndex, hybridQuery, sqlQuery, vectorQuery, vectorSearch],
  resources: [sqlSchema],
  prompts: [],
}
