/** The scratchpad on a server: exact keys, values that end when they should. */

import type { Clock } from '../../kernel/clock.ts'
import type { KeyValues } from '../../kernel/ports/memory.ts'
import { get, run } from '../../kernel/ports/store.ts'
import type { Store } from '../../kernel/ports/store.ts'
import { refusal } from '../../kernel/refusal.ts'
import { checkSize, checkTotals } from './limits.ts'
import type { MemoryLimits } from './limits.ts'
import { bytesOf, lockOf, ownerKey, removeExpired, settle } from './server-account.ts'
import { textOf } from './stored-text.ts'

const SET = `INSERT INTO memory_value (owner, key, bytes, expires_ms, content) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (owner, key) DO UPDATE SET bytes = excluded.bytes, expires_ms = excluded.expires_ms, content = excluded.content`

export function createServerValues(store: Store, limits: MemoryLimits, clock: Pick<Clock, 'now'>): KeyValues {
  return {
    async set(given, { key, value, ttlSeconds }) {
      const content = bytesOf(value)
      checkSize(content.length, limits.maxValueBytes, 'value')
      if (!(ttlSeconds <= limits.maxTtlSeconds)) throw refusal('input.invalid', `ttl_seconds: at most ${limits.maxTtlSeconds}`)
      const owner = ownerKey(given)
      return store.use('write', function* () {
        const nowMs = clock.now()
        yield* removeExpired(owner, nowMs)
        const expiresMs = ttlSeconds === 0 ? undefined : nowMs + ttlSeconds * 1000
        const before = yield* get('SELECT bytes FROM memory_value WHERE owner = ? AND key = ?', owner, bytesOf(key))
        const bytes = key.length + content.length
        yield* run(SET, owner, bytesOf(key), bytes, expiresMs ?? null, content)
        checkTotals(yield* settle(owner, { bytes: bytes - Number(before?.['bytes'] ?? 0), keys: before ? 0 : 1 }), limits)
        return { expiresMs }
      }, lockOf(owner))
    },
    async get(given, key) {
      const row = await store.use('read', () => get('SELECT expires_ms, content FROM memory_value WHERE owner = ? AND key = ?', ownerKey(given), bytesOf(key)))
      if (row === undefined) return undefined
      const expiresMs = row['expires_ms'] === null ? undefined : Number(row['expires_ms'])
      return expiresMs === undefined || expiresMs > clock.now() ? { value: textOf(row['content']), expiresMs } : undefined
    },
    async remove(given, key) {
      const owner = ownerKey(given)
      return store.use('write', function* () {
        yield* removeExpired(owner, clock.now())
        const gone = yield* get('DELETE FROM memory_value WHERE owner = ? AND key = ? RETURNING bytes', owner, bytesOf(key))
        if (gone) yield* settle(owner, { bytes: -Number(gone['bytes']), keys: -1 })
        return gone !== undefined
      }, lockOf(owner))
    },
  }
}
