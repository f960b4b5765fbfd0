/** Gives each placeholder its value, by name. */

import { refusal } from '../../kernel/refusal.ts'
import type { SqlParameters } from '../../kernel/ports/sql.ts'
import type { Dialect } from './dialect.ts'
import type { SqlValue } from './engine-port.ts'

const CLAIM = 'claim.'

/** @throws Refusal `sql.parameter` for a name without a value, or a value that the database has no type for. */
export function valuesFor(names: readonly string[], given: SqlParameters, { subject, dialect }: { readonly subject: string; readonly dialect: Dialect }): readonly SqlValue[] {
  return names.map((name) => (name.startsWith(CLAIM) ? claim(name, subject) : checked(Object.hasOwn(given, name) ? given[name] : undefined, dialect)))
}

/** Of a verified caller, only its subject is known here. */
function claim(name: string, subject: string): string {
  if (name !== `${CLAIM}sub` || subject === '') throw refusal('sql.parameter', 'of the claims, only :claim.sub can be bound, and only for a known caller')
  return subject
}

function checked(value: SqlValue | undefined, dialect: Dialect): SqlValue {
  if (value === undefined) throw refusal('sql.parameter', 'give every :name of the query a value in params')
  if (Array.isArray(value) && dialect !== 'postgres') throw refusal('sql.parameter', 'this database takes no lists; bind each value by its own name')
  if ([value].flat().some((item) => typeof item === 'string' && item.includes('\0'))) throw refusal('sql.parameter', 'a text holds no NUL')
  return value
}
