/** Where the server keeps its own state, and the trail of what was called. */

import { bytes, milliseconds, toggle } from '../kinds.ts'
import { section, setting } from '../setting.ts'
import { path, secretKey } from '../text-kinds.ts'

export const state = section('State', {
  DATA_DIR: setting(path(), {
    says: 'Folder for the server\u2019s own databases and keys, kept private to its user; unset, the platform\u2019s folder for user data is used.',
  }),
  STATE_KEY: setting(secretKey(), {
    secret: true,
    says: 'Key that seals what clients carry between requests, the same on every replica; unset, one is made and kept in the data folder.',
  }),
})

export const audit = section('Audit', {
  AUDIT_FILE: setting(path(), {
    default: 'audit.sqlite',
    says: 'File that keeps one row per call; a relative path starts at the data folder.',
  }),
  AUDIT_KEY: setting(secretKey(), {
    secret: true,
    says: 'Key for the chain of rows, without which nobody can forge one; unset, the chain shows accidents but not an attacker who can write the file.',
  }),
  AUDIT_REQUIRED: setting(toggle(), {
    default: false,
    says: 'Whether a call with an effect is refused when its row cannot be written to the trail; off, a log line is enough.',
  }),
  AUDIT_ARCHIVE_BYTES: setting(bytes(1_000_000_000_000, 0), {
    default: 256_000_000,
    says: 'Size of the trail\u2019s file from which on older rows go to archives beside it, which nobody deletes; 0 keeps all rows in one file.',
  }),
  AUDIT_FLUSH_MS: setting(milliseconds({ min: 0, max: 60_000 }), {
    default: 20,
    says: 'Longest time rows of calls without effects wait to be written together; 0 writes each at once.',
  }),
})
