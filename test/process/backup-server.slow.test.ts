/** The guide's way for a database server, with its own programs: dump, restore into a fresh database, ask it. */

import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ROOT } from './built-binary.ts'
import { makePlace, type Place, run } from './child.ts'

const server = process.env['ARROWHEAD_TEST_POSTGRES']
const canRun = server !== undefined && ['pg_dump', 'pg_restore', 'psql'].every((name) => spawnSync(name, ['--version']).status === 0)
const suffix = `${process.pid}_${Math.random().toString(36).slice(2)}`
const dsnOf = (name: string): string => Object.assign(new URL(server ?? 'postgresql://none'), { pathname: `/${name}` }).href
const [before, after] = [`backup_before_${suffix}`, `backup_after_${suffix}`]

let place: Place
const admin = async (sql: string, dsn = server): Promise<readonly Readonly<Record<string, unknown>>[]> => {
  const client = new pg.Client({ connectionString: dsn })
  await client.connect()
  return (await client.query(sql).finally(() => client.end())).rows as readonly Readonly<Record<string, unknown>>[]
}
beforeAll(async () => {
  if (!canRun) return
  place = makePlace()
  mkdirSync(join(place.cwd, 'documents'))
  for (const name of [before, after]) await admin(`create database ${name}`)
})
afterAll(async () => {
  if (!canRun) return
  place.remove()
  for (const name of [before, after]) await admin(`drop database ${name} with (force)`)
})

const call = (database: string, tool: string, args: object) => run(place, ['tools', 'call', tool, JSON.stringify(args)], { ARROWHEAD_MEMORY_DSN: dsnOf(database) })
const program = (name: string, args: readonly string[], input?: Buffer): Buffer => {
  const { status, stdout, stderr } = spawnSync(name, args, { maxBuffer: 64_000_000, ...(input && { input }) })
  expect({ name, status, said: status === 0 ? '' : stderr.toString() }).toEqual({ name, status: 0, said: '' })
  return stdout
}

describe.skipIf(!canRun)('a database server (skipped where ARROWHEAD_TEST_POSTGRES or the programs of PostgreSQL are missing)', () => {
  test('is dumped and restored as the guide says, and the new one answers as the old one did', async () => {
    program('psql', [dsnOf(before), '-v', 'ON_ERROR_STOP=1', '-q', '-f', join(ROOT, 'deploy/memory_schema.sql')])
    expect(await call(before, 'memory_store', { namespace: 'facts', content: 'The key of the shed hangs behind the door.' })).toMatchObject({ code: 0 })
    expect(await call(before, 'task_schedule', { delay_seconds: 3600, payload: { remind: 'shed' } })).toMatchObject({ code: 0 })

    const dump = program('pg_dump', ['--format=custom', '--schema=arrowhead', dsnOf(before)])
    program('pg_restore', [`--dbname=${dsnOf(after)}`], dump)

    expect((await call(after, 'memory_search', { namespace: 'facts', query: 'shed key' })).out).toContain('behind the door')
    expect((await call(after, 'task_list', {})).out).toContain('scheduled')
    const count = 'select count(*)::int as rows from arrowhead.memory'
    expect(await admin(count, dsnOf(after))).toEqual(await admin(count, dsnOf(before)))
  })
})
