/**
 * The parts of a MySQL or SQLite syntax tree that a reading query is made of, by the names that the parser
 * gives them. A part that is not here is refused; one that must be empty is refused unless it is.
 */

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

/** What may stand in a query, whatever it holds. */
export const PARTS = words(`
Query Select SetOperation Values Explain Table Derived NestedJoin JsonTable ForOrdinality Function Identifier CompoundIdentifier QualifiedWildcard Wildcard ObjectName
UnnamedExpr ExprWithAlias Expr Unnamed Named List Subquery BinaryOp UnaryOp Nested Value Number SingleQuotedString DoubleQuotedString NationalStringLiteral HexStringLiteral
SingleQuotedByteStringLiteral Boolean Null Placeholder Between Case Cast Ceil Floor Collate Convert Exists Extract Position Substring Trim Overlay Interval TypedString Prefixed Tuple Array
AllOp AnyOp InList InSubquery IsNull IsNotNull IsTrue IsNotTrue IsFalse IsNotFalse IsUnknown IsNotUnknown IsDistinctFrom IsNotDistinctFrom Like ILike RLike MatchAgainst MemberOf JsonAccess Dot Subscript AccessExpr CompoundFieldAccess Custom
Join Inner Left LeftOuter Right RightOuter FullOuter CrossJoin StraightJoin On Using Expressions OrderBy LimitOffset OffsetCommaLimit Separator WindowSpec Preceding Following CurrentRow
Cube Rollup GroupingSets On DateTimeField JsonReturningClause
Bigint BigInt BigIntUnsigned Binary Bit Blob Bytes Char CharVarying Character CharacterVarying Clob Date Datetime Dec Decimal Double DoublePrecision Float Int Int2 Int4 Int8 IntUnsigned Integer IntegerUnsigned JSON Nvarchar Numeric
Precision PrecisionAndScale IntegerLength Real Signed SignedInteger SmallInt String Text Time Timestamp TinyInt Unsigned UnsignedInteger Varbinary Varchar Year
alias args array at body charset clauses collation columns column compare_op condition conditions content cte_tables data_type describe_alias distinct duplicate_treatment else_result end_bound escape_char exists explicit
explicit_row expr field filter format flavor fractional_seconds_precision from group_by having high index_hints hint_type index_type index_names for_clause_on is_try join_operator joins json_expr json_path key kind lateral last_field leading_field leading_precision left
limit limit_clause list low match_value materialized modifier name named_window negated null_treatment nulls_first offset on_empty on_error op operand optimizer operator options or_replace order_by over parenthesized
partition_by partitions path pattern projection quantity query query_plan quote_style quoted recursive regexp relation result right rows select_modifiers high_priority straight_join sql_big_result sql_buffer_result
sql_calc_found_rows sql_no_cache sql_small_result selection set_quantifier special start_bound statement style styles subquery substring_for substring_from syntax table target_before_value trim_characters trim_what
trim_where unit units using value value_keyword verbose window_frame window_name with with_ordinality subject asc access_chain root selection text prefix any opt_search_modifier columns type key_columns leading_precision
table_with_joins is_some in length Assignment window_before_qualify within_group fetch with_ties percent NamedWindow NamedExpr overlay_what overlay_from overlay_for default_on_null shorthand output percent rows_only nested Nested exact_number_info start_bound type_name
`)

/** What may stand there only as nothing: an empty list, an empty text, false or null. */
export const EMPTY_PARTS = words(`
optimizer_hints into lateral_views connect_by cluster_by distribute_by sort_by pipe_operators with_hints prewhere settings format_clause for_clause top top_before_distinct sample version qualify locks
with_fill interpolate limit_by value_table_mode exclude opt_ilike opt_exclude opt_except opt_replace opt_rename opt_alias uses_odbc_syntax analyze estimate has_table_keyword
terse history external session global ignore
`)

/** What SHOW adds. */
export const SHOW_PARTS = words('show_options show_in clause parent_type parent_name filter_position Suffix Infix Where Like extended full filter obj_type obj_name table_name variable value')

/**
 * Words that are no names in MySQL and none in SQLite, unless quoted. The parser takes some for names: `OFFSET FROM` for a
 * number of rows that is called FROM, where a database reads an alias and then a table.
 */
export const RESERVED = words(`
all and as between case create delete distinct drop else exists from group having in into is join limit not on or order select set table then to union update using when where
`)

/** Where in the text something stood says nothing about it. */
export const isPlace = (key: string): boolean => key === 'span' || key.endsWith('_token')
