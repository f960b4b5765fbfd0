/** Conversations with the assistant, kept by workspace. */

export { createMemorySessions } from './memory-sessions.ts'
export type { SessionLimits } from './session-rules.ts'
export { createSqliteSessions } from './sqlite-sessions.ts'
export type { OpenSessions } from './sqlite-sessions.ts'
