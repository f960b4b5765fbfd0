/** How important a log line is, and whether the operator wants to read of it. The trail keeps every row, whatever the log leaves out. */

import type { Settings } from '../config/index.ts'
import type { AuditOutcome } from '../kernel/audit.ts'

export type LogLevel = Settings['logLevel']

const RANK: Readonly<Record<LogLevel, number>> = { info: 0, warn: 1, error: 2 }

export const isLogged = (level: LogLevel, least: LogLevel): boolean => RANK[level] >= RANK[least]

/** A refusal may be an attack, and a fault is ours to mend; everything else went as it should. */
export const levelOfOutcome = (outcome: AuditOutcome): LogLevel => (outcome === 'fault' ? 'error' : outcome === 'refused' ? 'warn' : 'info')
