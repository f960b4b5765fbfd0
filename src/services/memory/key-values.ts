/** The scratchpad of one owner: exact keys, values that end when they should. */

import type { Clock } from '../../kernel/clock.ts'
import type { KeyValues } from '../../kernel/ports/memory.ts'
import { refusal } from '../../kernel/refusal.ts'
import { removeExpired } from './expiry.ts'
import { checkAccount, checkSize } from './limits.ts'
import type { MemoryLimits } from './limits.ts'
import type { Owners } from './owners.ts'
import { textOf } from './stored-text.ts'

const utf8 = new TextEncoder()

export function createKeyValues(owners: Owners, limits: MemoryLimits, clock: Pick<Clock, 'now'>): KeyValues {
  return {
    async set(owner, { key, value, ttlSeconds }) {
      const bytes = utf8.encode(value)
      checkSize(bytes.length, limits.maxValueBytes, 'value')
      if (!(ttlSeconds <= limits.maxTtlSeconds)) throw refusal('input.invalid', `ttl_seconds: at most ${limits.maxTtlSeconds}`)
      return owners.use(owner, 'immediate', (db) => {
        const nowMs = clock.now()
        removeExpired(db, nowMs)
        const expiresMs = ttlSeconds === 0 ? undefined : nowMs + ttlSeconds * 1000
        const sql = `INSERT INTO value VALUES (?, ?, ?, ?)
          ON CONFLICT (key) DO UPDATE SET bytes = excluded.bytes, expires_ms = excluded.expires_ms, content = excluded.content`
        db.run(sql, key, key.length + bytes.length, expiresMs ?? null, bytes)
        checkAccount(db, limits)
        return { expiresMs }
      })
    },
    async get(owner, key) {
      const nowMs = clock.now()
      const row = await owners.use(owner, 'deferred', (db) => db.get('SELECT expires_ms, content FROM value WHERE key = ?', key))
      if (row === undefined) return undefined
      const expiresMs = row['expires_ms'] === null ? undefined : Number(row['expires_ms'])
      if (expiresMs === undefined || expiresMs > nowMs) return { value: textOf(row['content']), expiresMs }
      await owners.use(owner, 'immediate', (db) => removeExpired(db, nowMs))
      return undefined
    },
    remove: (owner, key) => owners.use(owner, 'immediate', (db) => {
      removeExpired(db, clock.now())
      return db.run('DELETE FROM value WHERE key = ?', key).changes > 0
    }),
  }
}
