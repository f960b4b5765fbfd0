import type { Family } from '../../kernel/resource.ts'
import { sqlSchema } from './schema.ts'
import { sqlQuery } from './sql-query.ts'

/** What the operator's databases hold. */
export const data: Family = {
  name: 'data',
  tools: [sqlQuery],
  resources: [sqlSchema],
  prompts: [],
}
