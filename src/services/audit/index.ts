/** The audit: an append-only, hash-chained trail in one file, its log line, its reader and its verifier. */

export { copyTrail } from './copy-trail.ts'
export type { TrailCopy } from './copy-trail.ts'
export type { AuditKey } from './hash-chain.ts'
export { logLine, parseAnchor } from './log-line.ts'
export { type FollowTrailOptions, followTrail, type ReadTrailOptions, readTrail } from './read-trail.ts'
export { createSqliteTrail, type SqliteTrailOptions } from './sqlite-trail.ts'
export type { TrailEntry } from './trail-schema.ts'
export type { TrailTrouble } from './trail-troubles.ts'
export {
  type OpenIntents,
  type TrailProblem,
  type TrailVerdict,
  type VerifyTrailOptions,
  verifyTrail,
} from './verify-trail.ts'
