/** What goes wrong with a trail: told at most once a minute, and rows that were given up are counted for the trail itself. */

import type { AuditRow } from '../../kernel/audit.ts'

export interface TrailTrouble {
  /** Rows that wait for the next attempt. */
  readonly waiting: number
  /** Rows given up since the last one that was written, because the queue was full or the trail closed. */
  readonly lost: number
}

export interface Troubles {
  lose(row: AuditRow, error: Error): void
  /** A row that says how many were lost, once for all of them. */
  confession(): AuditRow | undefined
  report(error: unknown): void
  /** The next report is told, however soon it comes. */
  unmute(): void
}

const REPORT_EVERY_MS = 60_000

export function createTroubles(onError: (error: unknown, trouble: TrailTrouble) => void, waiting: () => number): Troubles {
  let isMuted = false
  let lost: { rows: number; last: AuditRow } | undefined
  const report = (error: unknown): void => {
    if (isMuted) return
    isMuted = true
    setTimeout(() => {
      isMuted = false
    }, REPORT_EVERY_MS).unref()
    try {
      onError(error, { waiting: waiting(), lost: lost?.rows ?? 0 })
    } catch {
      // Reporting is best effort; the trail goes on.
    }
  }
  return {
    report,
    unmute: () => void (isMuted = false),
    lose(row, error) {
      lost = { rows: (lost?.rows ?? 0) + 1, last: row }
      report(error)
    },
    confession() {
      if (lost === undefined) return undefined
      const { rows, last } = lost
      lost = undefined
      return { ...last, kind: 'server', component: 'audit', caller: '', args: `{rows: ${rows}}`, outcome: 'fault', code: '', reason: 'rows-lost', ms: 0 }
    },
  }
}
