import * as z from 'zod'
import { outsideLine, untrusted } from '../../kernel/leaf.ts'
import type { SqlParameters } from '../../kernel/ports/sql.ts'
import { defineTool } from '../../kernel/tool.ts'

const scalar = z.union([z.string().max(10_000), z.number(), z.boolean(), z.null()])
const parameters = z.record(z.string().regex(/^[A-Za-z_]\w{0,62}$/), z.union([scalar, z.array(scalar).max(1_000)]))
const RULE = 'names to texts of at most 10000 characters, numbers, booleans, nulls or lists of these'

export const sqlQuery = defineTool({
  name: 'sql_query',
  title: 'Query the database',
  summary: 'Runs one read-only SQL query and returns its rows as data. Bind params as :name. Resource sql://schema lists tables.',
  scope: 'sql:read',
  level: 'SAFE',
  effect: 'read',
  idempotent: true,
  openWorld: false,
  perMinute: 60,
  uses: ['sql'],

  input: z.strictObject({
    query: z.string().min(1).max(1_000_000),
    // A model needs no more than `object` to be told; what it may hold is checked all the same.
    params: z.record(z.string(), z.unknown()).refine((given) => parameters.safeParse(given).success, { params: { rule: RULE } }).optional(),
  }),
  output: z.strictObject({
    /** Dialect, number of rows, names and types of columns, tables read, and the limit that cut the rows. */
    metadata: outsideLine(z.record(z.string(), z.unknown())),
    content: untrusted(z.string()),
  }),
  examples: [{ title: 'Rows by a bound value', input: { query: 'SELECT id, email FROM users WHERE org = :org', params: { org: 'acme' } } }],

  touches({ query }, { reads }) {
    if (!reads) throw new TypeError('what a query reads cannot be told: the inspector has no reads')
    return reads(query)
  },

  async run({ query, params }, { sql }, { caller: { subject, claims }, signal }) {
    const { dialect, columns, lines, tables, cut = null } = await sql.run(query, (params ?? {}) as SqlParameters, { subject, claims, signal })
    const content = `{"columns":${JSON.stringify(columns.map(({ name }) => name))},"rows":[${lines.join(',\n')}]}`
    return { metadata: { dialect, row_count: lines.length, columns, tables, cut }, content }
  },
})
