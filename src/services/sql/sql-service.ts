/** Queries of callers: judged, named to the grants, bound, run within limits, and cleaned. */

import { access } from '../../kernel/access.ts'
import type { Access } from '../../kernel/access.ts'
import { refusal } from '../../kernel/refusal.ts'
import type { Sql, SqlColumn } from '../../kernel/ports/sql.ts'
import { rowsOf } from './engine-port.ts'
import type { Cell, Column, RowLimits, SqlEngine } from './engine-port.ts'
import type { Judged, SqlGuard } from './guard.ts'
import { valuesFor } from './parameters.ts'
import { fieldCall } from './postgres-tree.ts'
import { bareName, relationId } from './relation.ts'
import type { Relation } from './relation.ts'

export interface SqlOptions {
  readonly guard: SqlGuard
  readonly engine: SqlEngine
  readonly limits: RowLimits
  /** Characters of the longest query. */
  readonly maxQueryChars: number
  /** Tables that no grant opens, by name in any schema: those with a way of their own that keeps tenants apart. */
  readonly hidden?: readonly string[]
  /** Schemas of which no grant opens a table. An engine looks up no bare name in one. */
  readonly hiddenSchemas?: readonly string[]
  /** Makes text from the database safe to show. */
  cleanText(text: string): string
  cleanLine(text: string): string
}

const MAX_TABLES = 300

export function createSql({ guard, engine, limits, maxQueryChars, hidden = [], hiddenSchemas = [], cleanText, cleanLine }: SqlOptions): Sql {
  const isHidden = ({ schema, name }: Relation): boolean => hidden.includes(name.toLowerCase()) || (schema !== undefined && hiddenSchemas.includes(schema))
  const judge = async (query: string): Promise<Judged> => {
    if (query.length > maxQueryChars) throw refusal('sql.too-complex', `a query has at most ${maxQueryChars} characters`)
    const judged = await guard.judge(query)
    if (judged.relations.some(isHidden)) throw refusal('access.denied', 'that table is reached by no query; collections have searches of their own')
    if (judged.fields.length > 0 && engine.fieldFunctions) {
      const functions = await engine.fieldFunctions()
      if (judged.fields.some((name) => functions.has(name))) throw fieldCall()
    }
    return judged
  }
  // The guard answers the same text with the same judgement, whose names are as old as it is.
  const known = new WeakMap<Judged, readonly Access[]>()
  const namesOf = async (judged: Judged): Promise<readonly Access[]> => {
    const names = known.get(judged) ?? (await namesIn(judged.relations))
    known.set(judged, names)
    return names
  }
  const namesIn = async (relations: readonly Relation[]): Promise<readonly Access[]> => {
    if (relations.length === 0) return [access('query', 'tableless', '')]
    // Asked only where it matters, and only once the query has passed.
    const schema = relations.some((relation) => relation.schema === undefined || bareName(relation, '') === undefined) ? await engine.defaultSchema() : ''
    return relations.map((relation) => tableAccess(relation, schema))
  }
  const cleaned = (columns: readonly Column[]): readonly SqlColumn[] => columns.map(({ name, type }) => ({ name: cleanLine(name), type: cleanLine(type) }))

  return {
    reads: async (query) => namesOf(await judge(query)),
    async run(query, parameters, { subject, claims, signal }) {
      const judged = await judge(query)
      const { text, parameters: names } = judged
      const values = valuesFor(names, parameters, { claims: { ...claims, sub: subject }, dialect: engine.dialect })
      const { columns, lines: given, cut } = await engine.query({ text, values, limits }, signal)
      const lines = isClean(given.join('\n'), cleanText) ? given : given.map((line) => JSON.stringify(cleanCell(JSON.parse(line) as Cell, cleanText)))
      const tables = (await namesOf(judged)).filter(({ kind }) => kind === 'table').map(({ id }) => cleanLine(id))
      return { dialect: engine.dialect, columns: cleaned(columns), lines, ...(cut && { cut }), tables, get rows() { return rowsOf({ lines }) } }
    },
    async schema(may, signal) {
      const schema = await engine.defaultSchema()
      const shapes = (await engine.tables(MAX_TABLES, signal)).filter((shape) => !isHidden(shape))
      const seen = await Promise.all(shapes.map(async (shape) => ((await may(tableAccess(shape, schema))) ? [shape] : [])))
      return seen.flat().map((shape) => ({ table: cleanLine(relationId(shape, schema)), columns: cleaned(shape.columns) }))
    },
  }
}

/** A table of the default schema also answers to its bare name. */
function tableAccess(relation: Relation, schema: string): Access {
  const alias = bareName(relation, schema)
  return { ...access('query', 'table', relationId(relation, schema)), ...(alias !== undefined && { alias }) }
}

/** What JSON writes as an escape, quotes and line ends aside, it hides from who cleans the text. */
const ESCAPED = /\\[bfru]/

/** Whether nothing in any string of these lines of JSON would be cleaned: one look at all of them, for most answers. Printable ASCII is clean. */
function isClean(json: string, clean: (text: string) => string): boolean {
  if (json.includes('\\') && ESCAPED.test(json)) return false
  const isPlain = Buffer.byteLength(json) === json.length && !json.includes('\x7f')
  return isPlain || clean(json) === json
}

function cleanCell(cell: Cell, clean: (text: string) => string): unknown {
  if (typeof cell === 'string') return clean(cell)
  if (Array.isArray(cell)) return cell.map((item) => cleanCell(item as Cell, clean))
  if (cell === null || typeof cell !== 'object') return cell
  return Object.fromEntries(Object.entries(cell).map(([key, item]) => [clean(key), cleanCell(item as Cell, clean)]))
}
