/** Connection strings as other ecosystems write them, made into what the driver reads. */

/** `postgresql+asyncpg://…?ssl=require` and its like become `postgresql://…?sslmode=require`. */
export function connectionString(dsn: string): string {
  const plain = dsn.replace(/^postgres(?:ql)?(?:\+[a-z0-9]+)?:\/\//i, 'postgresql://')
  const [base = plain, query] = plain.split('?', 2)
  if (query === undefined) return plain
  const given = new URLSearchParams(query)
  const ssl = given.get('ssl')
  if (ssl !== null && /^[a-z-]+$/.test(ssl) && !given.has('sslmode')) {
    given.delete('ssl')
    given.set('sslmode', ssl === 'true' ? 'require' : ssl)
  }
  for (const name of [...given.keys()]) if (name.startsWith('prepared_statement_')) given.delete(name)
  return given.size === 0 ? base : `${base}?${given.toString()}`
}

/** Whether a connection string names Postgres. */
export const isPostgres = (dsn: string | undefined): dsn is string => dsn !== undefined && /^postgres(?:ql)?(?:\+[a-z0-9]+)?:\/\//i.test(dsn)
