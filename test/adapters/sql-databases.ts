/**
 * Databases that queries run on in tests, each with the same few tables: a SQLite file always, Postgres and
 * MariaDB where ARROWHEAD_TEST_POSTGRES and ARROWHEAD_TEST_MARIADB name one (scripts/test-services.sh).
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import mysql from 'mysql2/promise'
import sqlite from 'node-sqlite3-wasm'
import pg from 'pg'

export interface TestDatabase {
  readonly dsn: string
  /** Runs statements with the rights of the owner. */
  exec(...statements: string[]): Promise<void>
  /** Ends connections, and removes what was made for the test. */
  close(): Promise<void>
}

const quoted = (word: string, quote: string): string => quote + word + quote

/** The tables of the case files, with a few rows in each. */
export const caseTables = (key: string, quote: string): readonly string[] => [
  ...['users', 'orders', 'notes', 'update_log'].map((table) => `DROP TABLE IF EXISTS ${table}`),
  `CREATE TABLE users (id ${key}, name varchar(100), email varchar(100))`,
  `CREATE TABLE orders (id ${key}, user_id int, total numeric(12, 2), created_at timestamp NULL, updated_at timestamp NULL, deleted int)`,
  `CREATE TABLE notes (id ${key}, body varchar(1000))`,
  `CREATE TABLE update_log (id ${key}, msg varchar(100), ${quoted('delete', quote)} int)`,
  "INSERT INTO users (name, email) VALUES ('ann', 'ann@example.com'), ('bob', NULL), ('cy', 'cy@example.com')",
  "INSERT INTO orders (user_id, total, created_at, updated_at, deleted) VALUES (1, 10.50, '2024-01-02 03:04:05', NULL, 0), (2, 99.99, '2024-02-03 04:05:06', NULL, 1)",
  "INSERT INTO notes (body) VALUES ('insert coin'), ('plain')",
  `INSERT INTO update_log (msg, ${quoted('delete', quote)}) VALUES ('grant all', 1)`,
]

/** A schema of the test's own, so that tests do not meet. */
export async function openPostgres(schema: string, url = process.env['ARROWHEAD_TEST_POSTGRES'] ?? ''): Promise<TestDatabase> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE; CREATE SCHEMA ${schema}; SET search_path = ${schema}`)
  const exec = async (...statements: string[]): Promise<void> => {
    for (const statement of statements) await client.query(statement)
  }
  await exec(...caseTables('serial PRIMARY KEY', '"'))
  return {
    dsn: `${url.replace('postgresql:', 'postgresql+asyncpg:')}?options=${encodeURIComponent(`-c search_path=${schema}`)}`,
    exec,
    async close() {
      await client.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`)
      await client.end()
    },
  }
}

/** A database of the test's own needs more rights than a test has, so the tables are made anew. */
export async function openMariadb(url = process.env['ARROWHEAD_TEST_MARIADB'] ?? ''): Promise<TestDatabase> {
  const client = await mysql.createConnection({ uri: url })
  const exec = async (...statements: string[]): Promise<void> => {
    for (const statement of statements) await client.query(statement)
  }
  await exec(...caseTables('int AUTO_INCREMENT PRIMARY KEY', '`'))
  return { dsn: url.replace('mysql:', 'mysql+aiomysql:'), exec, close: () => client.end() }
}

export async function openSqlite(): Promise<TestDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'arrowhead-sqlite-'))
  const file = join(folder, 'data.sqlite')
  const exec = async (...statements: string[]): Promise<void> => {
    const database = new sqlite.Database(file)
    for (const statement of statements) database.exec(statement)
    database.close()
  }
  await exec(...caseTables('integer PRIMARY KEY', '"'))
  return { dsn: `sqlite+aiosqlite:///${file}`, exec, close: async () => rmSync(folder, { recursive: true, force: true }) }
}
