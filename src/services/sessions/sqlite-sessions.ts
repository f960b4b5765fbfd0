/** Conversations in a database of the data directory, for its owner alone. A workspace is known there by a digest of its path. */

import { createHash } from 'node:crypto'
import type { Database, SqlRow } from '../../exits/disk/database.ts'
import { newId } from '../../exits/random.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { SessionEntry, Sessions } from '../../kernel/ports/sessions.ts'
import { SESSION_LIMITS, checkLimit, isSessionId, keptEntry, noSession, sessionFull, titleOf } from './session-rules.ts'
import type { SessionLimits } from './session-rules.ts'

const SCHEMA = `
CREATE TABLE IF NOT EXISTS session (
  number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, workspace TEXT NOT NULL,
  started_at INTEGER NOT NULL, title TEXT NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS session_newest ON session (workspace, started_at, number);
CREATE TABLE IF NOT EXISTS session_entry (
  session INTEGER NOT NULL REFERENCES session (number) ON DELETE CASCADE, place INTEGER NOT NULL,
  kind TEXT NOT NULL, text TEXT NOT NULL, at INTEGER NOT NULL,
  PRIMARY KEY (session, place)
) STRICT, WITHOUT ROWID`

const FIND = 'SELECT number FROM session WHERE workspace = ? AND id = ?'
const ADD = 'INSERT INTO session (id, workspace, started_at, title) VALUES (?, ?, ?, ?)'
const TRIM = `DELETE FROM session WHERE number IN (
  SELECT number FROM session WHERE workspace = ? ORDER BY started_at DESC, number DESC LIMIT -1 OFFSET ?)`
const LAST = 'SELECT coalesce(max(place), 0) AS place FROM session_entry WHERE session = ?'
const PUT = 'INSERT INTO session_entry VALUES (?, ?, ?, ?, ?)'
const LIST = 'SELECT id, started_at, title FROM session WHERE workspace = ? ORDER BY started_at DESC, number DESC LIMIT ?'
const READ = 'SELECT kind, text, at FROM session_entry WHERE session = ? ORDER BY place DESC LIMIT ?'

/** Closes its database; nothing is opened before the first use. */
export interface OpenSessions extends Sessions {
  close(): void
}

const digestOf = (workspace: string): string => createHash('sha256').update(workspace).digest('hex')

/** @param open called by the first use, and again when the file was taken away. */
export function createSqliteSessions(open: () => Database, clock: Pick<Clock, 'now'>, limits: SessionLimits = SESSION_LIMITS): OpenSessions {
  let held: Database | undefined
  const opened = (): Database => {
    if (held !== undefined && !held.stale()) return held
    held?.close()
    held = open()
    held.exec(SCHEMA)
    return held
  }
  const numberOf = (db: Database, workspace: string, id: string): number | undefined => {
    const row = isSessionId(id) ? db.get(FIND, digestOf(workspace), id) : undefined
    return row && Number(row['number'])
  }
  return {
    open(workspace, title) {
      const [db, id, place] = [opened(), newId(), digestOf(workspace)]
      db.transaction('immediate', () => {
        db.run(ADD, id, place, clock.now(), titleOf(title))
        db.run(TRIM, place, limits.maxSessions)
      })
      return id
    },
    append(workspace, id, given) {
      const [db, entry] = [opened(), keptEntry(given, limits)]
      db.transaction('immediate', () => {
        const number = numberOf(db, workspace, id)
        if (number === undefined) throw noSession()
        const place = Number(db.get(LAST, number)?.['place']) + 1
        if (place > limits.maxEntries) throw sessionFull()
        db.run(PUT, number, place, entry.kind, entry.kind === 'called' ? entry.tool : entry.text, entry.at)
      })
    },
    list(workspace, limit) {
      checkLimit(limit)
      return opened().all(LIST, digestOf(workspace), limit).map((row) => ({ id: String(row['id']), startedAt: Number(row['started_at']), title: String(row['title']) }))
    },
    read(workspace, id, limit) {
      checkLimit(limit)
      const db = opened()
      const number = numberOf(db, workspace, id)
      return number === undefined ? undefined : db.all(READ, number, limit).map(entryOf).reverse()
    },
    close() {
      held?.close()
      held = undefined
    },
  }
}

function entryOf(row: SqlRow): SessionEntry {
  const [kind, text, at] = [row['kind'], String(row['text']), Number(row['at'])]
  return kind === 'called' ? { kind, tool: text, at } : { kind: kind === 'asked' ? kind : 'answered', text, at }
}
