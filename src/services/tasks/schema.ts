/**
 * The table of tasks and timers. Texts of callers are JSON, which has no U+0000; owners are digests. Work belongs to
 * a place, because the same call means something else where other folders are served.
 */

export const SCHEMA_VERSION = 1

export const SCHEMA = `
CREATE TABLE task (
  id TEXT PRIMARY KEY, owner TEXT NOT NULL, place TEXT NOT NULL, caller TEXT NOT NULL, kind TEXT NOT NULL, status TEXT NOT NULL,
  args TEXT NOT NULL, series TEXT NOT NULL, due_ms INTEGER NOT NULL, repeat_ms INTEGER NOT NULL,
  fence INTEGER NOT NULL, lease_until_ms INTEGER NOT NULL, attempts INTEGER NOT NULL, waits INTEGER NOT NULL,
  created_ms INTEGER NOT NULL, changed_ms INTEGER NOT NULL, result TEXT, error TEXT,
  is_fault INTEGER NOT NULL, asks TEXT, replies TEXT
) STRICT;
CREATE INDEX task_owner ON task (owner, status, changed_ms);
CREATE INDEX task_scheduled ON task (due_ms) WHERE status = 'scheduled';
CREATE INDEX task_working ON task (place, due_ms) WHERE status = 'working';
CREATE INDEX task_changed ON task (changed_ms) WHERE status IN ('completed', 'failed', 'cancelled');
`
