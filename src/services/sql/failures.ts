/**
 * What a database's error means to a caller. The words of the database stay here: they repeat the query and,
 * at times, what is stored. The audit gets the code.
 */

import { Refusal, refusal } from '../../kernel/refusal.ts'

type Row = readonly [codes: RegExp, hint: string]

/** SQLSTATE (Postgres appendix A; MySQL's own numbers stand after `my`, SQLite's words after `lite`). */
const HINTS: readonly Row[] = [
  [/^(?:42703|my1054|lite_column)$/, 'a column does not exist; sql://schema lists what does'],
  [/^(?:42P01|3F000|my1146|my1049|lite_table)$/, 'a table does not exist; sql://schema lists what does'],
  [/^(?:42883|42725|my1305|my1370|lite_function)$/, 'no function or operator takes these types; cast a value'],
  [/^(?:42501|28\w{3}|my114[23]|my1044|my1227)$/, 'the role of this connection may not read that'],
  [/^(?:42803|42P10|my1055|my1140)$/, 'group by every column that is not aggregated'],
  [/^(?:42702|my1052|lite_ambiguous)$/, 'a column name is ambiguous; put the table before it'],
  [/^(?:25006|my1792|lite_readonly)$/, 'the database refused a write'],
  [/^(?:22\w{3}|my13\d\d|my1292)$/, 'a value does not fit its type or range'],
  [/^(?:08P01|42P02|42P18|my1210)$/, 'give each parameter a value, and a cast where its type is open'],
  [/^42/, 'the query does not fit the tables; sql://schema lists what there is'],
]

const COST = /^(?:57014|55P03|53\w{3}|54\w{3}|my3024|my1969|my1205|my1317|my1028|lite_memory|lite_size)$/
const GONE = /^(?:08\w{3}|57P\w\w|28P01|28000|3D000|my104[05]|my1053|my1152|my1927|my20\d\d|E[A-Z]+|PROTOCOL_\w+)$/

/** A refusal that says what the caller can do. What is a refusal already stays as it is. */
export function failureOf(error: unknown, codeOf: (error: unknown) => string): Refusal {
  if (error instanceof Refusal) return error
  const code = codeOf(error)
  if (COST.test(code)) return tooCostly(code)
  if (GONE.test(code)) return refusal('sql.unavailable', 'try again later', `db_${code}`)
  return refusal('sql.failed', HINTS.find(([codes]) => codes.test(code))?.[1] ?? 'check the query against sql://schema', `db_${code}`)
}

export const tooCostly = (code = 'deadline'): Refusal => refusal('sql.cost', 'narrow the query, for instance with WHERE and LIMIT', `db_${code}`)
