/**
 * Adds rows that were loaded to a table that is there. What that table does not take (a key twice, a value that a
 * constraint forbids) is told with its line in the file, in the words of the database or of the trigger that refused it.
 * Where those would be about a value that cannot be converted, and may repeat it, it is told in words of ours.
 */

import type { Database, Session, Statement } from '../../kernel/ports/database.ts'
import { StatementError } from '../../kernel/ports/database.ts'
import { LoadError } from './load-error.ts'
import { quoted } from './names.ts'

/** Where a row begins in its file. No column of a file has a blank in its name. */
export const LINE = { name: 'line of file', type: 'bigint' } as const

export interface Appending {
  /** Both with their schemas. */
  readonly from: string
  readonly into: string
  readonly columns: readonly { readonly name: string }[]
}

/** The first of them adds the rows. */
export function appending({ from, into, columns }: Appending): readonly Statement[] {
  const names = columns.map(({ name }) => quoted(name)).join(', ')
  return [{ sql: `insert into ${into} (${names}) select ${names} from ${from}` }, { sql: `drop table ${from}` }, { sql: `analyze ${into}` }]
}

/** Rows up to which the one that was refused is looked for: one by one takes some times as long as all at once. */
const MAX_SEARCHED = 1_000_000
/** Not a code of Postgres: neither of these is kept. */
const [FOUND, NONE] = ['AH001', 'AH000']

/** What was refused, with its line where the rows tell it one by one; nothing is added. */
export async function refusedRow(database: Database, { from, into, columns }: Appending, { error, rows, session }: { readonly error: StatementError; readonly rows: number; readonly session: Session }): Promise<LoadError> {
  const whole = new LoadError(told(error.sqlState, error.message))
  if (rows > MAX_SEARCHED) return whole
  const names = columns.map(({ name }) => quoted(name))
  const sql = `do $search$ declare file_row record; begin
for file_row in select * from ${from} order by ${quoted(LINE.name)} loop insert into ${into} (${names.join(', ')}) values (${names.map((name) => `file_row.${name}`).join(', ')}); end loop;
raise exception using errcode = '${NONE}';
exception when sqlstate '${NONE}' then raise; when others then raise exception using errcode = '${FOUND}', message = file_row.${quoted(LINE.name)} || ' ' || sqlstate || ' ' || sqlerrm;
end $search$`
  const found = await database.query({ sql }, session).then(() => undefined, (thrown: unknown) => thrown)
  const [, line, sqlState = '', message = ''] = (found instanceof StatementError && found.sqlState === FOUND && /^(\d+) (\w{5}) (.*)$/s.exec(found.message)) || []
  return line === undefined ? whole : new LoadError(told(sqlState, message), Number(line))
}

/** PostgreSQL, Appendix A, class 22. */
const CONVERSIONS: ReadonlyMap<string, string> = new Map([
  ['22001', 'a value is too long for its type'],
  ['22003', 'a number is out of the range of its type'],
  ['22004', 'a value is missing where one is needed'],
  ['22007', 'a date or time is not written as one'],
  ['22008', 'a date or time is out of range'],
  ['22012', 'a number is divided by zero'],
  ['22026', 'the length of a value does not match its type'],
  ['22P02', 'a value is not written as its type is'],
])

const told = (sqlState: string, message: string): string =>
  sqlState.startsWith('22') ? `${CONVERSIONS.get(sqlState) ?? 'a value does not fit its type'} (SQLSTATE ${sqlState})` : message
