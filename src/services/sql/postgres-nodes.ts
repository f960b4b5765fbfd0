/**
 * The parts of a Postgres syntax tree that a reading query is made of. A node or a field that is not in
 * these tables is refused: what INTO, row locks, writes and commands are made of is simply not here.
 */

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '))
const table = (rows: Readonly<Record<string, string>>): ReadonlyMap<string, ReadonlySet<string>> => new Map(Object.entries(rows).map(([name, fields]) => [name, words(`location ${fields}`)]))

/** Node type to the fields that it may have. */
export const NODES = table({
  SelectStmt: 'distinctClause targetList fromClause whereClause groupClause groupDistinct havingClause windowClause valuesLists sortClause limitOffset limitCount limitOption withClause op all larg rarg',
  CommonTableExpr: 'ctename aliascolnames ctematerialized ctequery search_clause cycle_clause',
  ResTarget: 'name indirection val', ColumnRef: 'fields', A_Star: '', A_Const: 'ival fval sval boolval bsval isnull',
  String: 'sval str', Integer: 'ival', Float: 'fval', Boolean: 'boolval', BitString: 'bsval', List: 'items', ParamRef: 'number',
  A_Expr: 'kind name lexpr rexpr rexpr_list_start rexpr_list_end', BoolExpr: 'boolop args', NullTest: 'arg nulltesttype argisrow', BooleanTest: 'arg booltesttype',
  SubLink: 'subLinkType subLinkId testexpr operName subselect', CaseExpr: 'arg args defresult', CaseWhen: 'expr result',
  CoalesceExpr: 'args', MinMaxExpr: 'op args', NamedArgExpr: 'arg name argnumber',
  FuncCall: 'funcname args agg_order agg_filter over agg_within_group agg_star agg_distinct func_variadic funcformat',
  WindowDef: 'name refname partitionClause orderClause frameOptions startOffset endOffset', SortBy: 'node sortby_dir sortby_nulls useOp',
  TypeCast: 'arg typeName', TypeName: 'names typeOid setof pct_type typmods typemod arrayBounds', CollateClause: 'arg collname',
  RangeVar: 'catalogname schemaname relname inh relpersistence alias', RangeSubselect: 'lateral subquery alias', RangeFunction: 'lateral ordinality is_rowsfrom functions alias coldeflist',
  RangeTableSample: 'relation method args repeatable', RangeTableFunc: 'lateral docexpr rowexpr namespaces columns alias', RangeTableFuncCol: 'colname typeName for_ordinality is_not_null colexpr coldefexpr',
  JoinExpr: 'jointype isNatural larg rarg usingClause join_using_alias quals alias rtindex', ColumnDef: 'colname typeName is_local collClause',
  RowExpr: 'args row_format colnames', A_ArrayExpr: 'elements list_start list_end', A_Indirection: 'arg indirection', A_Indices: 'is_slice lidx uidx',
  GroupingSet: 'kind content', GroupingFunc: 'args refs', SQLValueFunction: 'op typmod', XmlExpr: 'op name named_args arg_names args xmloption indent type typmod', XmlSerialize: 'xmloption expr typeName indent',
  JsonObjectConstructor: 'exprs output absent_on_null unique', JsonArrayConstructor: 'exprs output absent_on_null', JsonArrayQueryConstructor: 'query output format absent_on_null',
  JsonObjectAgg: 'constructor arg absent_on_null unique', JsonArrayAgg: 'constructor arg absent_on_null', JsonKeyValue: 'key value', JsonValueExpr: 'raw_expr formatted_expr format',
  JsonIsPredicate: 'expr format item_type unique_keys', JsonParseExpr: 'expr output unique_keys', JsonScalarExpr: 'expr output', JsonSerializeExpr: 'expr output',
  JsonFuncExpr: 'op column_name context_item pathspec passing output on_empty on_error wrapper quotes', JsonArgument: 'val name',
  JsonTable: 'context_item pathspec passing columns on_error alias lateral', JsonTableColumn: 'coltype name typeName pathspec format wrapper quotes columns on_empty on_error', JsonTablePathSpec: 'string name name_location',
})

/** Fields that hold a node without its type's name, and what may be in them. */
export const UNNAMED: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ...table({
    alias: 'aliasname colnames', join_using_alias: 'aliasname colnames', search_clause: 'search_col_list search_breadth_first search_seq_column',
    cycle_clause: 'cycle_col_list cycle_mark_column cycle_mark_value cycle_mark_default cycle_path_column',
    constructor: 'output agg_filter agg_order over', format: 'format_type encoding', output: 'typeName returning', returning: 'format typid typmod',
    arg: 'key value raw_expr formatted_expr format', value: 'raw_expr formatted_expr format', expr: 'raw_expr formatted_expr format', context_item: 'raw_expr formatted_expr format',
    pathspec: 'string name name_location', on_empty: 'btype expr coerce', on_error: 'btype expr coerce',
    ival: 'ival', fval: 'fval', sval: 'sval', boolval: 'boolval', bsval: 'bsval',
  }),
  ...(['over:WindowDef', 'typeName:TypeName', 'collClause:CollateClause', 'larg:SelectStmt', 'rarg:SelectStmt'] as const).map((pair): [string, ReadonlySet<string>] => {
    const [field = '', node = ''] = pair.split(':')
    return [field, NODES.get(node) ?? words('')]
  }),
])

/** Options of EXPLAIN that run nothing. */
export const EXPLAIN_OPTIONS = words('analyze verbose costs settings generic_plan buffers summary memory format timing wal serialize')

/** Sampling methods that ship with Postgres. */
export const SAMPLING = words('system bernoulli system_rows system_time')
