/** What the audit's own tests share: a sample row, a private folder, and a hand with the operator's rights. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase, type SqlValue } from '../../exits/disk/database.ts'
import type { AuditRow } from '../../kernel/audit.ts'

export const sampleRow = (id: string, changes: Partial<AuditRow> = {}): AuditRow => ({
  id,
  at: 1_767_225_600_000,
  door: 'stdio',
  kind: 'tool',
  component: 'calculate',
  caller: 'local',
  args: '{expression: string(5)}',
  outcome: 'ok',
  code: '',
  reason: '',
  ms: 1.25,
  trace: '',
  ...changes,
})

export interface TrailFolder {
  readonly file: string
  remove(): void
}

export function trailFolder(): TrailFolder {
  const folder = mkdtempSync(join(tmpdir(), 'arrowhead-audit-'))
  return { file: join(folder, 'audit.db'), remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** Does what an owner of the file can do: drops the triggers, then runs the statements. */
export function tamper(file: string, ...statements: readonly (readonly [sql: string, ...values: SqlValue[]])[]): void {
  const db = openDatabase(file)
  db.exec('DROP TRIGGER IF EXISTS audit_keeps_rows')
  db.exec('DROP TRIGGER IF EXISTS audit_keeps_all')
  db.exec('DROP TRIGGER IF EXISTS audit_grows')
  for (const [sql, ...values] of statements) db.run(sql, ...values)
  db.close()
}
