/**
 * What one owner keeps, in one database file. Sums are kept by triggers, so they are right after every
 * transaction, whoever wrote.
 */

export const SCHEMA_VERSION = 1

/** Texts of callers are stored as bytes: the library would cut a text at U+0000. */
export const SCHEMA = `
CREATE TABLE account (
  only_row INTEGER PRIMARY KEY CHECK (only_row = 1), used_bytes INTEGER NOT NULL, keys INTEGER NOT NULL, namespaces INTEGER NOT NULL
) STRICT;
INSERT INTO account VALUES (1, 0, 0, 0);

CREATE TABLE namespace (
  number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, entries INTEGER NOT NULL DEFAULT 0, words INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE memory (
  number INTEGER PRIMARY KEY AUTOINCREMENT, namespace INTEGER NOT NULL REFERENCES namespace, id TEXT NOT NULL, hash BLOB NOT NULL,
  bytes INTEGER NOT NULL, words INTEGER NOT NULL, created_ms INTEGER NOT NULL, metadata BLOB NOT NULL, content BLOB NOT NULL,
  UNIQUE (namespace, id), UNIQUE (namespace, hash)
) STRICT;
CREATE TABLE posting (
  namespace INTEGER NOT NULL, word TEXT NOT NULL, memory INTEGER NOT NULL REFERENCES memory ON DELETE CASCADE,
  times INTEGER NOT NULL, length INTEGER NOT NULL, PRIMARY KEY (namespace, word, memory)
) STRICT, WITHOUT ROWID;
CREATE INDEX posting_memory ON posting (memory);
CREATE TABLE value (
  key TEXT PRIMARY KEY, bytes INTEGER NOT NULL, expires_ms INTEGER, content BLOB NOT NULL
) STRICT;
CREATE INDEX value_expires ON value (expires_ms) WHERE expires_ms IS NOT NULL;

CREATE TRIGGER namespace_in AFTER INSERT ON namespace BEGIN UPDATE account SET namespaces = namespaces + 1; END;
CREATE TRIGGER namespace_out AFTER DELETE ON namespace BEGIN UPDATE account SET namespaces = namespaces - 1; END;
CREATE TRIGGER memory_in AFTER INSERT ON memory BEGIN
  UPDATE account SET used_bytes = used_bytes + new.bytes;
  UPDATE namespace SET entries = entries + 1, words = words + new.words WHERE number = new.namespace;
END;
CREATE TRIGGER memory_out AFTER DELETE ON memory BEGIN
  UPDATE account SET used_bytes = used_bytes - old.bytes;
  UPDATE namespace SET entries = entries - 1, words = words - old.words WHERE number = old.namespace;
  DELETE FROM namespace WHERE number = old.namespace AND entries = 0;
END;
CREATE TRIGGER memory_changed AFTER UPDATE ON memory BEGIN
  UPDATE account SET used_bytes = used_bytes + new.bytes - old.bytes;
  UPDATE namespace SET words = words + new.words - old.words WHERE number = new.namespace;
END;
CREATE TRIGGER value_in AFTER INSERT ON value BEGIN UPDATE account SET used_bytes = used_bytes + new.bytes, keys = keys + 1; END;
CREATE TRIGGER value_out AFTER DELETE ON value BEGIN UPDATE account SET used_bytes = used_bytes - old.bytes, keys = keys - 1; END;
CREATE TRIGGER value_changed AFTER UPDATE ON value BEGIN UPDATE account SET used_bytes = used_bytes + new.bytes - old.bytes; END;
`
