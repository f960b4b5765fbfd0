/** Entries of this server in the files of MCP clients. */

export { createBackups, sha256Of } from './backups.ts'
export { entryIn, readClientText, withEntry, withoutEntry } from './change.ts'
export { type Client, CLIENTS, type Target } from './clients.ts'
export { ClientFileError } from './file-error.ts'
export { lineDiff } from './line-diff.ts'
export { cursorLink, vscodeLink } from './links.ts'
