/** Reads and checks a deployment's trail, for the commands that show it. */

import { isAbsolute, join } from 'node:path'
import type { Settings } from '../config/index.ts'
import type { TrailHead } from '../kernel/audit.ts'
import { followTrail, logLine, parseAnchor, readTrail, verifyTrail } from '../services/audit/index.ts'

export { logLine, parseAnchor }

/** The file of the trail: absolute as set, or below the data directory. */
export const trailFile = ({ auditFile }: Pick<Settings, 'auditFile'>, dataDir: string): string =>
  isAbsolute(auditFile) ? auditFile : join(dataDir, auditFile)

export const auditReader = (settings: Settings, dataDir: string) => {
  const file = trailFile(settings, dataDir)
  return {
    newest: (limit: number) => readTrail({ file, limit }),
    follow: (afterSeq: number, signal: AbortSignal) => followTrail({ file, afterSeq, signal }),
    verify: (anchors: readonly TrailHead[], onRows?: (done: number, total: number) => void) => verifyTrail({ file, anchors, ...(onRows && { onRows }), ...(settings.auditKey !== undefined && { key: settings.auditKey }) }),
  }
}
