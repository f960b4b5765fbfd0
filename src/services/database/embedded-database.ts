/**
 * The embedded database: Postgres in this process or in the one that owns the files. Nothing starts before the first
 * statement. When the owner ends, the next process that needs the database becomes the owner.
 */

import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { ensurePrivateFolder } from '../../exits/disk/private-folder.ts'
import type { Database, Migration, Rows, Session, Statement } from '../../kernel/ports/database.ts'
import { StatementError } from '../../kernel/ports/database.ts'
import { refusal } from '../../kernel/refusal.ts'
import { createEngine } from './engine.ts'
import { jobOf } from './job.ts'
import type { Job, JobOutcome, JobRunner } from './job.ts'
import { applyMigrations } from './migrations.ts'
import { askOwner } from './owner-client.ts'
import { takeOwnerLock } from './owner-lock.ts'
import { serveJobs } from './owner-server.ts'

export interface EmbeddedDatabaseOptions {
  /** Private folder for the files, the lock and the socket; made where it is missing. Without one nothing can be asked. */
  readonly folder: string | undefined
  /** A prepared directory (compressed tar). Without one the very first start takes seconds instead of half of one. */
  readonly template?: string | undefined
}

interface Link extends JobRunner {
  readonly gone: boolean
  close(): Promise<void>
}

const ELECTION_MS = 15_000
const PAUSE_MS = 25
const MAX_MOVES = 5

export function createEmbeddedDatabase({ folder, template }: EmbeddedDatabaseOptions): Database {
  let link: Promise<Link> | undefined
  let closed = false
  const linked = async (): Promise<Link> => {
    if (closed) throw refusal('database.unavailable', undefined, 'closed')
    if (folder === undefined) throw refusal('data.unconfigured', 'the embedded database needs a data directory')
    const known = await link?.catch(() => undefined)
    if (known && !known.gone) return known
    const opened = (link = joinOwner(folder, template))
    opened.catch(() => {
      if (link === opened) link = undefined
    })
    return opened
  }
  const run = async (job: Job, signal?: AbortSignal): Promise<readonly Rows[]> => {
    for (let moves = 1; ; moves += 1) {
      const outcome = await (await linked()).run(job, signal)
      // What was not begun is asked again of whoever owns the database now, and so is a lost read; a lost write may have happened.
      const again = outcome.is === 'closed' || (outcome.is === 'lost' && job.readOnly)
      if (!again || moves >= MAX_MOVES || closed) return resultsOf(outcome, signal)
    }
  }
  const transaction = (statements: readonly Statement[], session: Session): Promise<readonly Rows[]> => run(jobOf(statements, session), session.signal)
  return {
    transaction,
    query: async (statement, session) => (await transaction([statement], session))[0] ?? NOTHING,
    migrate: (migrations: readonly Migration[]) => applyMigrations(migrations, async (sql, scripts, values = []) => {
      const [rows] = await run({ ...jobOf([{ sql, values }], { role: 'owner', timeoutMs: 120_000 }), scripts })
      return rows ?? NOTHING
    }),
    async close() {
      closed = true
      await (await link?.catch(() => undefined))?.close()
    },
  }
}

const NOTHING: Rows = { columns: [], rows: [], truncated: false, changed: 0 }

/** @throws StatementError, Refusal as `Database.query` does. */
function resultsOf(outcome: JobOutcome, signal: AbortSignal | undefined): readonly Rows[] {
  if (outcome.is === 'ok') return outcome.results
  if (outcome.is === 'error') throw new StatementError(outcome.sqlState, outcome.says, outcome.statement)
  if (outcome.is === 'lost') throw refusal('database.unavailable', undefined, outcome.says)
  if (outcome.is === 'closed') throw refusal('database.unavailable', undefined, 'closed')
  if (signal?.aborted) throw signal.reason
  throw refusal('database.timeout')
}

/** Becomes the owner, or finds it. Between two owners there is a moment without one, which is waited out. */
async function joinOwner(folder: string, template: string | undefined): Promise<Link> {
  ensurePrivateFolder(folder)
  const deadline = performance.now() + ELECTION_MS
  for (;;) {
    const own = await becomeOwner(folder, template)
    if (own) return own
    const client = await askOwner(folder)
    if (client) return client
    if (performance.now() > deadline) throw refusal('database.unavailable', undefined, 'no-owner')
    await pause(PAUSE_MS)
  }
}

async function becomeOwner(folder: string, template: string | undefined): Promise<Link | undefined> {
  const lock = takeOwnerLock(join(folder, 'owner.lock'))
  if (!lock) return undefined
  const engine = createEngine({ folder, template })
  try {
    const server = await serveJobs(folder, engine)
    return {
      run: (job, signal) => engine.run(job, signal),
      gone: false,
      async close() {
        // In this order: no more callers, no more engine, and only then may another process own the files.
        server.stopListening()
        await engine.close()
        await server.close()
        lock.release()
      },
    }
  } catch (error) {
    lock.release()
    throw error
  }
}
