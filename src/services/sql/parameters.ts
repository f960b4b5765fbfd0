/** Gives each placeholder its value, by name. */

import { refusal } from '../../kernel/refusal.ts'
import type { Claims } from '../../kernel/caller.ts'
import type { SqlParameters } from '../../kernel/ports/sql.ts'
import type { Dialect } from './dialect.ts'
import type { SqlValue } from './engine-port.ts'

const CLAIM = 'claim.'

interface Bound {
  /** Of the verified caller; an empty `sub` is nobody's. */
  readonly claims: Claims
  readonly dialect: Dialect
}

/** @throws Refusal `sql.parameter` for a name without a value, or a value that the database has no type for. */
export function valuesFor(names: readonly string[], given: SqlParameters, { claims, dialect }: Bound): readonly SqlValue[] {
  return names.map((name) => checked(name.startsWith(CLAIM) ? claim(name.slice(CLAIM.length), claims) : Object.hasOwn(given, name) ? given[name] : undefined, dialect))
}

function claim(name: string, claims: Claims): SqlValue {
  const value = Object.hasOwn(claims, name) ? claims[name] : undefined
  if (value === undefined || value === '') throw refusal('sql.parameter', 'of the claims, :claim.sub can be bound for a known caller, and those that the operator named where its token has them')
  return value
}

function checked(value: SqlValue | undefined, dialect: Dialect): SqlValue {
  if (value === undefined) throw refusal('sql.parameter', 'give every :name of the query a value in params')
  if (Array.isArray(value) && dialect !== 'postgres') throw refusal('sql.parameter', 'this database takes no lists; bind each value by its own name')
  if ([value].flat().some((item) => typeof item === 'string' && item.includes('\0'))) throw refusal('sql.parameter', 'a text holds no NUL')
  return value
}
