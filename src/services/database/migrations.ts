/** Applies the steps of the schema that are not there yet, each in one transaction with its own record. */

import type { Migration, Rows } from '../../kernel/ports/database.ts'

type Run = (sql: string, script: boolean, values?: readonly string[]) => Promise<Rows>

/** Where the records are kept, on any Postgres. */
const LEDGER = `create schema if not exists arrowhead;
create table if not exists arrowhead.migrations (name text primary key, applied_at timestamptz not null default now());`

const APPLIED = 'select name from arrowhead.migrations'

/** @returns the names applied now, by this process. Two at once apply each step once: the record is written first. */
export async function applyMigrations(migrations: readonly Migration[], run: Run): Promise<readonly string[]> {
  await run(LEDGER, true)
  const { rows } = await run(APPLIED, false)
  const known = new Set(rows.map(([name]) => name))
  const applied: string[] = []
  for (const { name, sql } of migrations.filter((one) => !known.has(one.name))) {
    try {
      await run(stepOf(name, sql), true)
      applied.push(name)
    } catch (error) {
      // Of two that looked at once, the slower one finds the record of the other, and with it the step.
      if ((await run(`${APPLIED} where name = $1`, false, [name])).rows.length === 0) throw error
    }
  }
  return applied
}

/** One step as a script. Names are this project's own; the check keeps them plain. */
export function stepOf(name: string, sql: string): string {
  if (!/^[a-z0-9_.:-]{1,100}$/.test(name)) throw new TypeError('the name of a migration is plain')
  return `insert into arrowhead.migrations (name) values ('${name}');\n${sql}`
}

/** All steps as one script for an administrator. A step that was applied is passed over. */
export function migrationScript(migrations: readonly Migration[]): string {
  const guarded = migrations.map(({ name, sql }) => {
    const body = stepOf(name, sql)
    const quote = `$step_${name.replace(/[^a-z0-9]/g, '_')}$`
    return `-- ${name}\ndo ${quote} begin\nif not exists (select from arrowhead.migrations where name = '${name}') then\n${body.replaceAll(/^/gm, '  ')}\nend if;\nend ${quote};\n`
  })
  return `begin;\n${LEDGER}\n\n${guarded.join('\n')}\ncommit;\n`
}
