/** Reads connection strings, those of Python's drivers included: `postgresql+asyncpg://`, `mysql+aiomysql://`, `sqlite+aiosqlite:///`. */

import type { Dialect } from './dialect.ts'

export type Target = { readonly dialect: 'postgres' | 'mysql'; readonly url: string } | { readonly dialect: 'sqlite'; readonly file: string }

const SCHEMES: Readonly<Record<string, Dialect>> = { postgres: 'postgres', postgresql: 'postgres', mysql: 'mysql', mariadb: 'mysql', sqlite: 'sqlite', sqlite3: 'sqlite', file: 'sqlite' }

/** The database behind a connection string; undefined for a scheme that is not served. */
export function targetOf(dsn: string): Target | undefined {
  const [, scheme = '', rest = ''] = /^([A-Za-z0-9]+)(?:\+[A-Za-z0-9_]+)?:(.*)$/s.exec(dsn) ?? []
  const dialect = Object.hasOwn(SCHEMES, scheme.toLowerCase()) ? SCHEMES[scheme.toLowerCase()] : undefined
  if (dialect === 'sqlite') return { dialect, file: sqliteFile(rest) }
  if (dialect === undefined || !URL.canParse(`${dialect}:${rest}`)) return undefined
  const url = new URL(`${dialect === 'postgres' ? 'postgresql' : 'mysql'}:${rest}`)
  if (dialect === 'postgres') translateSsl(url)
  return { dialect, url: url.href }
}

/** asyncpg says `ssl=require` where libpq says `sslmode=require`. */
function translateSsl(url: URL): void {
  const ssl = url.searchParams.get('ssl')
  if (ssl === null || url.searchParams.has('sslmode')) return
  url.searchParams.delete('ssl')
  url.searchParams.set('sslmode', ssl === 'true' ? 'require' : ssl)
}

/** Three slashes and a relative path, four and an absolute one, or a plain path. */
const sqliteFile = (rest: string): string => decodeURIComponent(rest.replace(/\?.*$/s, '').replace(/^\/\/\//, ''))
