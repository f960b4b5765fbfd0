/**
 * Decides whether a text is one statement that only reads, and what it reads. Nothing of it reaches a
 * database before: the lexer bounds it, the dialect's own grammar parses it in a thread, and a walk over the
 * tree lets only known parts pass.
 */

import type { Dialect } from './dialect.ts'
import { readGeneric, toItsEnd } from './generic-tree.ts'
import { createParserThread } from './parser-thread.ts'
import type { ParserOptions, ParserThread } from './parser-thread.ts'
import { readPostgres } from './postgres-tree.ts'
import { distinct } from './relation.ts'
import type { Relation } from './relation.ts'
import { statementOf } from './statement.ts'
import type { Statement } from './statement.ts'

/** A statement that may run, once everything that it reads is authorised. */
export interface Judged extends Pick<Statement, 'text' | 'parameters'> {
  /** Each table and view that it reads; none for a query over no table. */
  readonly relations: readonly Relation[]
  /** Names that would be calls, were there such a function in the database; none outside Postgres. */
  readonly fields: readonly string[]
}

export interface SqlGuard {
  /** @throws Refusal with a `sql.*` code. The same text gets the same answer. */
  judge(sql: string): Promise<Judged>
  close(): Promise<void>
}

export interface GuardOptions extends Pick<ParserOptions, 'deadlineMs' | 'onStart'> {
  readonly dialect: Dialect
  /** Functions beyond the built-in list that are known to read only: `name`, or `schema.name` in Postgres. */
  readonly functions?: readonly string[]
}

/** Statements whose judgement is kept, so that running what was just authorised costs no second parse. */
const KEPT = 200

export function createSqlGuard({ dialect, functions = [], ...thread }: GuardOptions): SqlGuard {
  const kept = new Map<string, Judged>()
  const allowed = new Set(functions.map((name) => name.toLowerCase()))
  let parser: ParserThread | undefined

  const judge = async (sql: string): Promise<Judged> => {
    const { text, judged, parameters } = statementOf(sql, dialect)
    parser ??= createParserThread({ parser: dialect === 'postgres' ? 'postgres' : 'generic', ...thread })
    const tree = await parser.parse(dialect === 'postgres' ? judged : toItsEnd(judged), dialect)
    const { relations, fields } = dialect === 'postgres' ? readPostgres(tree, { functions: allowed }) : { relations: readGeneric(tree, { dialect, functions: allowed }), fields: [] }
    return { text, parameters, relations: distinct(relations), fields: fields.filter((name) => !allowed.has(name)) }
  }

  return {
    async judge(sql) {
      const known = kept.get(sql)
      if (known) return known
      const fresh = await judge(sql)
      kept.set(sql, fresh)
      for (const oldest of kept.keys()) {
        if (kept.size <= KEPT) break
        kept.delete(oldest)
      }
      return fresh
    },
    async close() {
      await parser?.close()
      parser = undefined
    },
  }
}
