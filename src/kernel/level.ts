/** What a call does, and how much trust it needs for that. */

/** What a call does to the world. MCP's behaviour hints are derived from it, never written. */
export const EFFECTS = ['read', 'create', 'replace', 'delete', 'execute'] as const
export type Effect = (typeof EFFECTS)[number]

/** How much trust a call needs. A call may rise above its tool's level, never sink below it. */
export const LEVELS = ['SAFE', 'CONFIRM', 'RESTRICTED', 'DENIED'] as const
export type Level = (typeof LEVELS)[number]
