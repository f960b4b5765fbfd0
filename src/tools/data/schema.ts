import { defineResource } from '../../kernel/resource.ts'

export const sqlSchema = defineResource({
  uri: 'sql://schema',
  name: 'sql-schema',
  title: 'Tables that can be queried',
  summary: 'The tables and columns of the database that this caller may read with sql_query.',
  scope: 'sql:read',
  mimeType: 'application/json',
  uses: ['sql'],
  outside: 'text',

  touches: () => [],

  async read(_params, { sql }, { may, signal }) {
    return { text: JSON.stringify({ tables: await sql.schema(may, signal) }, null, 1), mimeType: 'application/json' }
  },
})
