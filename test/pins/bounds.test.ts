/** Bounds that the documents promise and no setting moves. Who changes one changes what is said of it. */

import { expect, it } from 'vitest'
import { CLOCKS_MS } from '../../src/app/diagnose-shared.ts'
import { MAX_LIST_CHARS } from '../../src/app/identity.ts'
import { DEFAULT_TURNS } from '../../src/doors/cli/workspace-flags.ts'
import { POLL_MS as LIST_POLL_MS } from '../../src/exits/disk/watch-text.ts'
import { KEEP_ROWS } from '../../src/services/audit/archive-trail.ts'
import { MAX_RUNS } from '../../src/services/checkpoints/checkpoint-store.ts'
import { STORE_TIMEOUT_MS } from '../../src/services/database/postgres-store.ts'
import { SKEW_MS } from '../../src/services/redis/redis-nonces.ts'
import { MAX_BYTES } from '../../src/services/sql/lexer.ts'
import { DEADLINE_MS } from '../../src/services/sql/parser-thread.ts'
import { leftMs } from '../../src/services/sql/thread-time.ts'
import { LEASE_MS, POLL_MS } from '../../src/services/tasks/index.ts'
import { BUILD_MEMORY, INDEX_FROM_ROWS } from '../../src/services/vectors/search-index.ts'

it.each<[string, number, number]>([
  ['a lease of work that was taken up, in milliseconds', LEASE_MS, 15_000],
  ['between two looks for work that is due, in milliseconds', POLL_MS, 2_000],
  ['how far the clocks of replicas may be apart, in milliseconds', SKEW_MS, 2_000],
  ['from where on doctor warns of that, in milliseconds', CLOCKS_MS, 2_000],
  ['how long state on a server is tried, in milliseconds', STORE_TIMEOUT_MS, 10_000],
  ['rows that stay in the file of the trail', KEEP_ROWS, 10_000],
  ['requests of the assistant whose copies are kept', MAX_RUNS, 200],
  ['answers of the model in one run', DEFAULT_TURNS, 20],
  ['bytes of a query', MAX_BYTES, 16_384],
  ['what a query may cost its parser, in milliseconds on a processor', DEADLINE_MS, 250],
  ['and on the wall, where the system does not tell', leftMs(DEADLINE_MS, { usedMs: undefined, waitedMs: 0 }), 2_000],
  ['characters of the list of revoked tokens', MAX_LIST_CHARS, 4_000_000],
  ['chunks from which a tenant has a search index', INDEX_FROM_ROWS, 2_000],
  ['what building one may hold in memory, in MB', Number.parseInt(BUILD_MEMORY, 10), 256],
  ['two looks at that list, in milliseconds', 2 * LIST_POLL_MS, 1_000],
])('%s', (_, bound, said) => {
  expect(bound).toBe(said)
})
