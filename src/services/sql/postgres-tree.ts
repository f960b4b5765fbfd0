/**
 * Judges a Postgres syntax tree, node by node and without recursion. Only what is known to read passes; every
 * relation that is not a name of the query's own comes out.
 */

import { refusal } from '../../kernel/refusal.ts'
import type { Refusal } from '../../kernel/refusal.ts'
import { EXPLAIN_OPTIONS, NODES, SAMPLING, UNNAMED } from './postgres-nodes.ts'
import { POSTGRES_EXTENSION_FUNCTIONS, POSTGRES_FUNCTIONS, isCallLike } from './postgres-functions.ts'
import { NO_SCOPE, isInScope, siblingScope } from './scope.ts'
import type { Scope } from './scope.ts'
import type { Relation } from './relation.ts'

type Tree = Readonly<Record<string, unknown>>
interface Frame {
  readonly value: unknown
  readonly scope: Scope
  /** The field that holds it. */
  readonly field: string
}

export interface PostgresRules {
  /** Functions of the operator's own that may be called, as `schema.name` or `name`, in lower case. */
  readonly functions: ReadonlySet<string>
}

export interface Read {
  readonly relations: readonly Relation[]
  /** Names after a dot. One that is no column may still be a function of the database, called in this notation. */
  readonly fields: readonly string[]
}

/** @throws Refusal `sql.statements`, `sql.not-read-only` or `sql.function`. */
export function readPostgres(tree: unknown, rules: PostgresRules): Read {
  const statements = (tree as { readonly stmts?: readonly { readonly stmt?: Tree }[] }).stmts ?? []
  const [first] = statements
  if (statements.length !== 1 || !first?.stmt) throw refusal('sql.statements', 'send exactly one statement')
  const query = queryOf(first.stmt)
  return query === undefined ? { relations: [], fields: [] } : walk(query, rules)
}

/** The query of a SELECT or of an EXPLAIN that does not run it; nothing for SHOW, which reads a setting. */
function queryOf(statement: Tree): unknown {
  if ('VariableShowStmt' in statement) return undefined
  if (!('ExplainStmt' in statement)) return only('SelectStmt', statement)
  const { query, options = [] } = statement['ExplainStmt'] as { readonly query: Tree; readonly options?: readonly Tree[] }
  for (const option of options) checkOption(option['DefElem'] as Tree)
  return only('SelectStmt', query)
}

const only = (type: string, node: Tree): Tree => {
  if (Object.keys(node).length !== 1 || !(type in node)) throw notReading()
  return node
}

const OFF = new Set(['off', 'false', '0'])

function checkOption({ defname, arg }: Tree): void {
  if (typeof defname !== 'string' || !EXPLAIN_OPTIONS.has(defname)) throw notReading()
  const said = arg as { readonly String?: { readonly sval?: string }; readonly Integer?: { readonly ival?: number } } | undefined
  const value = said?.String?.sval?.toLowerCase() ?? (said?.Integer ? String(said.Integer.ival ?? 0) : undefined)
  if (defname === 'analyze' && (value === undefined || !OFF.has(value))) throw notReading('EXPLAIN with ANALYZE runs the query')
}

function walk(root: unknown, rules: PostgresRules): Read {
  const relations: Relation[] = []
  const fields = new Set<string>()
  const frames: Frame[] = [{ value: root, scope: NO_SCOPE, field: '' }]
  for (let frame = frames.pop(); frame; frame = frames.pop()) {
    const { value, scope, field } = frame
    if (Array.isArray(value)) for (const item of value) frames.push({ value: item, scope, field })
    else if (value !== null && typeof value === 'object') enter(value as Tree, { scope, field, frames, relations, fields, rules })
  }
  return { relations, fields: [...fields] }
}

interface Place extends Pick<Frame, 'scope' | 'field'> {
  readonly frames: Frame[]
  readonly relations: Relation[]
  readonly fields: Set<string>
  readonly rules: PostgresRules
}

function enter(object: Tree, place: Place): void {
  const keys = Object.keys(object)
  const [type = ''] = keys
  if (keys.length === 0) return
  if (!/^[A-Z]/.test(type)) return visit(object, UNNAMED.get(place.field), place.field === 'larg' || place.field === 'rarg' ? 'SelectStmt' : '', place)
  if (keys.length !== 1) throw notReading()
  visit((object[type] ?? {}) as Tree, NODES.get(type), type, place)
}

function visit(node: Tree, fields: ReadonlySet<string> | undefined, type: string, place: Place): void {
  if (!fields || !Object.keys(node).every((field) => fields.has(field))) throw notReading(hintFor(node, type))
  CHECKS[type]?.(node, place)
  const scope = 'withClause' in node ? withScope(node['withClause'] as WithClause, place) : place.scope
  for (const [field, value] of Object.entries(node)) {
    if (field !== 'withClause' && value !== null && typeof value === 'object') place.frames.push({ value, scope, field })
  }
}

const hintFor = (node: Tree, type: string): string | undefined =>
  type === 'SelectStmt' && 'lockingClause' in node ? 'a query takes no row locks' : type === 'SelectStmt' && 'intoClause' in node ? 'a query writes no table' : undefined

interface WithClause {
  readonly recursive?: boolean
  readonly ctes?: readonly Tree[]
}

/** Sends each named query on with what it may see. @returns what the statement itself sees. */
function withScope({ recursive = false, ctes = [] }: WithClause, { frames, scope: outer }: Place): Scope {
  const names = ctes.map((cte) => String((only('CommonTableExpr', cte)['CommonTableExpr'] as Tree)['ctename']))
  ctes.forEach((value, index) => {
    frames.push({ value, scope: siblingScope(names, index, recursive ? 'all' : 'before', outer), field: 'ctes' })
  })
  return { names: new Set(names), outer }
}

const namesIn = (list: unknown): readonly string[] =>
  (Array.isArray(list) ? list : []).map((item: Tree) => String((item['String'] as { readonly sval?: string; readonly str?: string } | undefined)?.sval ?? ''))

const CHECKS: Readonly<Record<string, (node: Tree, place: Place) => void>> = {
  RangeVar({ schemaname, relname }, { scope, relations }) {
    const name = String(relname)
    if (typeof schemaname === 'string') relations.push({ schema: schemaname, name })
    else if (!isInScope(name, scope)) {
      relations.push({ name })
      // The catalogue comes before every other schema, so the bare name of one of its tables means that table.
      if (name.startsWith('pg_')) relations.push({ schema: 'pg_catalog', name })
    }
  },
  FuncCall({ funcname, args }, { rules }) {
    const names = namesIn(funcname)
    // With two arguments the second is a query to run; with three it is a plain replacement.
    const isRewrite = names.at(-1) === 'ts_rewrite' && (args as readonly unknown[] | undefined)?.length === 3
    if (!isRewrite && !mayCall(names, rules)) throw refusal('sql.function', 'call only functions of the database that neither write, wait nor read files')
  },
  A_Indirection: ({ indirection }, place) => noteFields(namesIn(indirection), place),
  // A table function of one value is that value, so the name after its alias can be a call too.
  ColumnRef: ({ fields }, place) => noteFields(namesIn(fields).slice(1), place),
  A_Expr: ({ name }) => checkOperator(name),
  SubLink: ({ operName }) => checkOperator(operName),
  SortBy: ({ useOp }) => checkOperator(useOp),
  RangeTableSample({ method }) {
    const [name = '', more] = namesIn(method)
    if (more !== undefined || !SAMPLING.has(name)) throw refusal('sql.function', 'sample with SYSTEM or BERNOULLI')
  },
}

function noteFields(names: readonly string[], { fields }: Place): void {
  if (names.some(isCallLike)) throw fieldCall()
  for (const name of names) if (name !== '') fields.add(name)
}

/** An operator of a schema of its own is a function that nobody vouched for. */
function checkOperator(name: unknown): void {
  const parts = namesIn(name)
  if (parts.length > 1 && parts[0] !== 'pg_catalog') throw refusal('sql.function', 'use operators without a schema')
}

function mayCall(parts: readonly string[], { functions }: PostgresRules): boolean {
  const [first = '', second, third] = parts
  if (third !== undefined) return false
  if (second === undefined) return POSTGRES_FUNCTIONS.has(first) || POSTGRES_EXTENSION_FUNCTIONS.has(first) || functions.has(first)
  return (first === 'pg_catalog' && POSTGRES_FUNCTIONS.has(second)) || functions.has(`${first}.${second}`)
}

export const fieldCall = (): Refusal => refusal('sql.function', 'a name after a dot must be a column, not a function')

const notReading = (hint = 'send one SELECT, or EXPLAIN without ANALYZE'): Refusal => refusal('sql.not-read-only', hint)
