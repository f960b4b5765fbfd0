/**
 * Where this server's own state is kept: on the Postgres server of ARROWHEAD_MEMORY_DSN, or embedded. The audit trail
 * stays in its file, and is copied to the server as a second place. Nothing is opened before its first use.
 */

import { ConfigError } from '../config/index.ts'
import type { Settings } from '../config/index.ts'
import type { Store } from '../kernel/ports/store.ts'
import { copyTrail } from '../services/audit/index.ts'
import type { TrailCopy } from '../services/audit/index.ts'
import { isPostgres } from '../services/database/connection-string.ts'
import { createPostgresStore } from '../services/database/postgres-store.ts'

export interface State {
  /** Undefined where everything is embedded. */
  readonly store: Store | undefined
  /** From now on the trail is copied. */
  begin(): void
  /** After the trail was closed, so that its last rows are copied too. */
  close(): Promise<void>
}

export interface StateParts {
  /** Undefined where no trail is kept. */
  readonly trailFile: string | undefined
  /** Hears a sentence for the operator. */
  readonly warn: (problem: string) => void
}

/** @throws ConfigError for a connection string that names no Postgres. */
export function openState({ memoryDsn }: Pick<Settings, 'memoryDsn'>, { trailFile, warn }: StateParts): State {
  if (memoryDsn === undefined) return { store: undefined, begin: () => {}, close: async () => {} }
  if (!isPostgres(memoryDsn)) throw new ConfigError(['ARROWHEAD_MEMORY_DSN: accepts postgresql URLs'])
  const store = createPostgresStore({ dsn: memoryDsn })
  let copy: TrailCopy | undefined
  return {
    store,
    begin() {
      if (trailFile !== undefined) copy = copyTrail({ file: trailFile, store, onError: (error) => warn(`the audit trail waits to be copied: ${String(error)}`) })
    },
    async close() {
      await copy?.close()
      await store.close()
    },
  }
}
