/**
 * Functions of SQLite that a query may call (sqlite.org/lang_corefunc, lang_aggfunc, lang_datefunc,
 * lang_mathfunc, windowfunctions, json1, fts5), and the tables that are really functions.
 */

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

export const SQLITE_FUNCTIONS = words(`
abs changes char coalesce concat concat_ws format glob hex if ifnull iif instr last_insert_rowid length like likelihood likely lower ltrim max min nullif octet_length printf quote random randomblob replace
round rtrim sign soundex sqlite_compileoption_get sqlite_compileoption_used sqlite_source_id sqlite_version substr substring total_changes trim typeof unhex unicode unistr unistr_quote unlikely upper zeroblob
avg count group_concat string_agg sum total median percentile percentile_cont percentile_disc date time datetime julianday unixepoch strftime timediff current_date current_time current_timestamp
acos acosh asin asinh atan atan2 atanh ceil ceiling cos cosh degrees exp floor ln log log10 log2 mod pi pow power radians sin sinh sqrt tan tanh trunc
row_number rank dense_rank percent_rank cume_dist ntile lag lead first_value last_value nth_value
json jsonb json_array jsonb_array json_array_length json_error_position json_extract jsonb_extract json_insert jsonb_insert json_object jsonb_object json_patch jsonb_patch json_pretty json_remove jsonb_remove
json_replace jsonb_replace json_set jsonb_set json_type json_valid json_quote json_group_array jsonb_group_array json_group_object jsonb_group_object json_array_insert jsonb_array_insert
bm25 highlight snippet matchinfo offsets regexp match subtype cast
`)

/** Tables that are functions, with arguments or as hidden columns, and that only read. */
export const SQLITE_TABLE_FUNCTIONS = words(`
json_each json_tree jsonb_each jsonb_tree pragma_table_info pragma_table_xinfo pragma_table_list pragma_index_list pragma_index_info pragma_index_xinfo pragma_foreign_key_list
pragma_database_list pragma_collation_list pragma_function_list pragma_module_list pragma_pragma_list pragma_compile_options pragma_encoding pragma_user_version pragma_application_id
`)

/** Of those, the ones that describe the table or index that they are given. */
export const SQLITE_TABLES_OF_A_TABLE = words(`
pragma_table_info pragma_table_xinfo pragma_table_list pragma_index_list pragma_index_info pragma_index_xinfo pragma_foreign_key_list
`)

/** Virtual tables below the tables, or outside the database. */
export const SQLITE_HIDDEN_TABLES = /^(?:pragma_|sqlite_dbpage|sqlite_dbdata|sqlite_dbptr|sqlite_memstat|sqlite_stmt|dbstat|bytecode|tables_used|completion|zipfile|fsdir|csv|vfsstat|fts5?vocab|unionvtab|swarmvtab|closure|spellfix)/
