/** The statements of the public SQL corpora, each with what it is by the word of the Postgres grammar alone. */

import { readFileSync, readdirSync } from 'node:fs'
import { loadModule, parseSync } from 'libpg-query'

export interface CorpusStatement {
  readonly file: string
  readonly sql: string
  /** `read`: a SELECT that neither locks, stores nor changes; `plan`: EXPLAIN or SHOW; `write`: anything else. */
  readonly is: 'read' | 'plan' | 'write'
  /** Functions that it calls by name, in lower case as the grammar gives them. */
  readonly calls: readonly string[]
}

const CHANGES = /"(?:intoClause|lockingClause|InsertStmt|UpdateStmt|DeleteStmt|MergeStmt)"/

interface Parsed {
  readonly stmt?: object
  readonly stmt_location?: number
  readonly stmt_len?: number
}

function kindOf(type: string, json: string): CorpusStatement['is'] {
  if (type === 'ExplainStmt' || type === 'VariableShowStmt') return 'plan'
  return type === 'SelectStmt' && !CHANGES.test(json) ? 'read' : 'write'
}

function described(file: string, sql: string, stmt: object): CorpusStatement {
  const json = JSON.stringify(stmt)
  const calls = [...json.matchAll(/"FuncCall":\{"funcname":(\[.*?\])/g)].map(([, names = '[]']) =>
    (JSON.parse(names) as readonly { readonly String?: { readonly sval?: string } }[]).map(({ String: word }) => word?.sval ?? '').join('.'),
  )
  return { file, sql, is: kindOf(Object.keys(stmt)[0] ?? '', json), calls: [...new Set(calls)] }
}

function statementsOf(file: string, bytes: Buffer): readonly CorpusStatement[] {
  const { stmts = [] } = parseSync(bytes.toString('utf8')) as { readonly stmts?: readonly Parsed[] }
  return stmts.map(({ stmt = {}, stmt_location: from = 0, stmt_len: length }) =>
    described(file, bytes.subarray(from, length === undefined ? undefined : from + length).toString('utf8'), stmt),
  )
}

/** The regression scripts, which parse as they are, and of the other files each statement that the grammar knows. */
export async function loadCorpus(folder: string): Promise<readonly CorpusStatement[]> {
  await loadModule()
  const scripts = readdirSync(folder).filter((name) => name.startsWith('pg-')).sort()
  const regression = scripts.flatMap((name) => statementsOf(name, readFileSync(`${folder}/${name}`)))
  const others = ([['sqlglot-identity.sql', '\n'], ['tpch.sql', ';'], ['tpcds.sql', ';']] as const).flatMap(([name, between]) =>
    readFileSync(`${folder}/${name}`, 'utf8').split(between).flatMap((sql) => known(name, sql)),
  )
  return [...regression, ...others]
}

function known(file: string, sql: string): readonly CorpusStatement[] {
  try {
    return statementsOf(file, Buffer.from(sql))
  } catch {
    return []
  }
}
