/**
 * Judges a MySQL or SQLite syntax tree, part by part and without recursion. Only what is known to read
 * passes; every relation that is not a name of the query's own comes out.
 */

import { refusal } from '../../kernel/refusal.ts'
import type { Refusal } from '../../kernel/refusal.ts'
import type { Dialect } from './dialect.ts'
import { EMPTY_PARTS, PARTS, RESERVED, SHOW_PARTS, isPlace } from './generic-keys.ts'
import { MYSQL_FUNCTIONS } from './mysql-functions.ts'
import type { Relation } from './relation.ts'
import { NO_SCOPE, isInScope, siblingScope } from './scope.ts'
import type { Scope } from './scope.ts'
import { SQLITE_FUNCTIONS, SQLITE_HIDDEN_TABLES, SQLITE_TABLE_FUNCTIONS, SQLITE_TABLES_OF_A_TABLE } from './sqlite-functions.ts'

type Tree = Readonly<Record<string, unknown>>

export interface GenericRules {
  readonly dialect: Exclude<Dialect, 'postgres'>
  /** Functions of the operator's own that may be called, in lower case. */
  readonly functions: ReadonlySet<string>
}

/**
 * The statement, and one that the parser must reach behind it. At some words, such as `end`, the parser stops as if the
 * text were over, and what a database reads after them would be judged by nobody.
 */
export const toItsEnd = (judged: string): string => `${judged} ; SELECT '${LAST}'`

const LAST = 'all of it was read'
const isLast = (statement: Tree | undefined): boolean => JSON.stringify(statement?.['Query'] ?? '').includes(`{"SingleQuotedString":"${LAST}"}`)

/**
 * @param tree of a statement `toItsEnd`.
 * @throws Refusal `sql.syntax`, `sql.statements`, `sql.not-read-only` or `sql.function`.
 */
export function readGeneric(tree: unknown, rules: GenericRules): readonly Relation[] {
  const statements = tree as readonly Tree[]
  const [first, last, ...others] = Array.isArray(tree) ? statements : []
  if (!first || others.length > 0) throw refusal('sql.statements', 'send exactly one statement')
  if (!isLast(last)) throw readOtherwise()
  const [type = '', ...more] = Object.keys(first)
  if (more.length > 0) throw notReading()
  const shown = rules.dialect === 'mysql' ? SHOWS[type]?.(first[type] as Tree) : undefined
  if (shown) return [...shown, ...walk(first[type], rules, true)]
  if (type === 'Explain') return explained(first['Explain'] as Tree, rules)
  if (type !== 'Query') throw notReading()
  return walk(first, rules, false)
}

function explained(node: Tree, rules: GenericRules): readonly Relation[] {
  const statement = node['statement'] as Tree
  if (Object.keys(statement).join() !== 'Query') throw notReading()
  return walk({ Explain: node }, rules, false)
}

const inInformationSchema = (name: string): readonly Relation[] => [{ schema: 'information_schema', name }]

/** Statements of MySQL that read definitions, and where a query would read the same. */
const SHOWS: Readonly<Record<string, (node: Tree) => readonly Relation[] | undefined>> = {
  ShowTables: () => inInformationSchema('tables'),
  ShowDatabases: () => inInformationSchema('schemata'),
  ShowVariables: () => [{ schema: 'performance_schema', name: 'session_variables' }],
  ShowStatus: () => [{ schema: 'performance_schema', name: 'session_status' }],
  ShowCreate: ({ obj_type, obj_name }) => (obj_type === 'Table' || obj_type === 'View' ? [named(obj_name, 'mysql')] : undefined),
  ShowColumns: ({ show_options }) => [named(((show_options as Tree)['show_in'] as Tree)['parent_name'], 'mysql')],
  // The parser reads SHOW INDEX FROM t as the name of a variable.
  ShowVariable({ variable }) {
    const [what = '', from = '', table, ...more] = (variable as readonly Ident[]).map(({ value }) => value)
    return /^(?:index|indexes|keys)$/i.test(what) && /^(?:from|in)$/i.test(from) && table !== undefined && more.length === 0 ? [{ name: table }] : undefined
  },
  ExplainTable: ({ table_name }) => [named(table_name, 'mysql')],
}

interface Frame {
  readonly value: unknown
  readonly scope: Scope
}

interface Place {
  readonly scope: Scope
  readonly frames: Frame[]
  readonly relations: Relation[]
  readonly rules: GenericRules
  readonly shows: boolean
}

function walk(root: unknown, rules: GenericRules, shows: boolean): readonly Relation[] {
  const relations: Relation[] = []
  const frames: Frame[] = [{ value: root, scope: NO_SCOPE }]
  for (let frame = frames.pop(); frame; frame = frames.pop()) {
    const { value, scope } = frame
    if (Array.isArray(value)) for (const item of value) frames.push({ value: item, scope })
    else if (value !== null && typeof value === 'object') enter(value as Tree, { scope, frames, relations, rules, shows })
  }
  return relations
}

function enter(object: Tree, place: Place): void {
  if (isKeyword(object)) throw readOtherwise()
  const scope = 'with' in object && object['with'] ? withScope(object['with'] as With, place) : place.scope
  for (const [key, value] of Object.entries(object)) {
    if (isPlace(key) || key === 'with') continue
    if (EMPTY_PARTS.has(key) ? !isEmpty(value) : !PARTS.has(key) && !(place.shows && SHOW_PARTS.has(key)) && !isUnset(key, value)) throw notReading(key === 'locks' ? 'a query takes no row locks' : undefined)
    if (key === 'Table' && value !== null && typeof value === 'object') readTable(value as Tree, place)
    else if (key === 'Function') checkCall((value as Tree)['name'], place.rules)
    // After a dot any word is a name, and SHOW INDEX FROM t comes as a list of them.
    const held = key === 'CompoundIdentifier' ? (value as readonly unknown[]).slice(0, 1) : key === 'variable' ? null : value
    if (held !== null && typeof held === 'object') place.frames.push({ value: held, scope })
  }
}

/** A name, unquoted, that can be none. */
const isKeyword = ({ value, quote_style: quote }: Tree): boolean => quote === undefined && typeof value === 'string' && RESERVED.has(value.toLowerCase())

const readOtherwise = (): Refusal => refusal('sql.syntax', 'put names that are keywords, such as end and offset, in quotes')

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === false || value === '' || value === 'None' || (typeof value === 'object' && Object.keys(value).length === 0)

/** `parameters` belong to functions of another database. */
const isUnset = (key: string, value: unknown): boolean => key === 'parameters' && isEmpty(value)

interface With {
  readonly recursive?: boolean
  readonly cte_tables?: readonly Tree[]
}

/** MySQL lets a query see what stands before it, and itself where recursive; SQLite every sibling. */
function withScope({ recursive = false, cte_tables: tables = [] }: With, { frames, scope: outer, rules: { dialect } }: Place): Scope {
  const names = tables.map(({ alias }) => folded((alias as { readonly name: Ident }).name.value, dialect))
  const sees = dialect === 'sqlite' ? 'all' : recursive ? 'own' : 'before'
  tables.forEach((value, index) => {
    frames.push({ value, scope: siblingScope(names, index, sees, outer) })
  })
  return { names: new Set(names), outer }
}

interface Ident {
  readonly value: string
  readonly quote_style?: string | null
}

function parts(name: unknown): readonly Ident[] {
  // Some nodes with a relation's name, such as that of TABLE t, spell it in another way.
  if (!Array.isArray(name)) throw notReading('name a table as table or schema.table')
  return (name as readonly { readonly Identifier?: Ident }[]).map(({ Identifier }) => {
    if (!Identifier) throw notReading()
    return Identifier
  })
}

const folded = (name: string, dialect: Dialect): string => (dialect === 'sqlite' ? name.replace(/[A-Z]/g, (letter) => letter.toLowerCase()) : name)

function named(name: unknown, dialect: Dialect): Relation {
  const [first, second, third] = parts(name).map(({ value }) => folded(value, dialect))
  if (first === undefined || third !== undefined) throw notReading('name a table as table or schema.table')
  return second === undefined ? { name: first } : { schema: first, name: second }
}

function readTable({ name, args }: Tree, { scope, relations, rules: { dialect, functions } }: Place): void {
  const relation = named(name, dialect)
  if (!isEmpty(args) || (dialect === 'sqlite' && SQLITE_TABLE_FUNCTIONS.has(relation.name))) return readTableFunction(relation, args, { dialect, functions }, relations)
  if (dialect === 'sqlite' && SQLITE_HIDDEN_TABLES.test(relation.name)) throw refusal('sql.function', 'read tables, not the pages or files below them')
  if (relation.schema === undefined && (isInScope(relation.name, scope) || isDual(name, dialect))) return
  relations.push(relation)
}

const isDual = (name: unknown, dialect: Dialect): boolean => {
  const [{ value, quote_style: quote } = { value: '' }] = parts(name)
  return dialect === 'mysql' && !quote && value.toLowerCase() === 'dual'
}

/** A function in FROM. Those that tell about one table read that table, or where it is not spelled out, the whole schema. */
function readTableFunction({ schema, name }: Relation, args: unknown, { dialect, functions }: GenericRules, relations: Relation[]): void {
  const isKnown = functions.has(name) || (dialect === 'sqlite' && schema === undefined && SQLITE_TABLE_FUNCTIONS.has(name))
  if (!isKnown) throw refusal('sql.function', 'read only from tables and from functions that are known to read')
  if (dialect === 'sqlite' && SQLITE_TABLES_OF_A_TABLE.has(name)) relations.push({ name: literalArgument(args) ?? 'sqlite_schema' })
}

function literalArgument(args: unknown): string | undefined {
  const list = (args as { readonly args?: readonly unknown[] } | null | undefined)?.args ?? []
  const match = /^\{"Unnamed":\{"Expr":\{"Value":\{"value":\{"SingleQuotedString":("(?:[^"\\]|\\.)*")\}/.exec(JSON.stringify(list[0]) ?? '')
  return match?.[1] === undefined || list.length !== 1 ? undefined : folded(JSON.parse(match[1]) as string, 'sqlite')
}

function checkCall(name: unknown, { dialect, functions }: GenericRules): void {
  const called = parts(name).map(({ value }) => value.toLowerCase()).join('.')
  const known = dialect === 'mysql' ? MYSQL_FUNCTIONS : SQLITE_FUNCTIONS
  if (!known.has(called) && !functions.has(called)) throw refusal('sql.function', 'call only functions of the database that neither write, wait nor read files')
}

const notReading = (hint = 'send one SELECT, or EXPLAIN without ANALYZE'): Refusal => refusal('sql.not-read-only', hint)
