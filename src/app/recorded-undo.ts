/** Undo with a record: what is taken back is announced in the trail before anything moves, and what came of it follows. */

import type { Door } from '../kernel/caller.ts'
import type { Clock } from '../kernel/clock.ts'
import type { AuditOutcome, AuditRow } from '../kernel/audit.ts'
import type { Undo, Undone, UndoneRun } from '../kernel/ports/local-files.ts'
import { Refusal, refusal } from '../kernel/refusal.ts'
import { withoutCredentials } from './journal.ts'
import type { Records } from './journal.ts'

export interface RecordedUndo extends Pick<Undo, 'runs'> {
  /**
   * Puts back what the run changed, and nothing else. @param run the newest where absent. @param door how the person came.
   * @throws Refusal `undo.missing`, and `audit.unavailable` before anything is touched.
   */
  undo(run?: string, door?: Door): Promise<UndoneRun>
}

export interface UndoRecordPorts {
  readonly journal: Records
  readonly clock: Clock
  newId(): string
  redacted(text: string): Promise<string>
}

/** The name under which the trail has it. No tool has it: a model cannot ask for it. */
const COMPONENT = 'undo'
const MAX_VALUES = 1_000

export function recordedUndo(undo: Undo, { journal, clock, newId, redacted }: UndoRecordPorts): RecordedUndo {
  const find = async (wanted: string | undefined): Promise<string> => {
    const [found] = (await undo.runs()).filter(({ run }) => wanted === undefined || run === wanted)
    if (!found) throw refusal('undo.missing', 'list the runs to see which can be taken back')
    return found.run
  }
  return {
    runs: () => undo.runs(),
    async undo(given, door = 'library') {
      const run = await find(given)
      const [id, from] = [newId(), clock.ticks()]
      const row = async (outcome: AuditOutcome, changes: readonly Undone[], code = ''): Promise<AuditRow> => ({
        id, at: clock.now(), door, kind: 'server', component: COMPONENT, caller: 'local', args: '', outcome, code, reason: reasonOf(changes), ms: Math.round(clock.ticks() - from), trace: '',
        errand: { request: run, motive: '', level: 'CONFIRM', confirmed: true, status: statusOf(outcome, changes), values: await withoutCredentials(valuesOf(changes), MAX_VALUES, redacted) },
      })
      const no = await journal.announce(await row('intent', []))
      if (no) {
        await journal.ended(await row('refused', [], no.code))
        throw no
      }
      try {
        const undone = await undo.undo(run)
        await journal.ended(await row('ok', undone.changes))
        return undone
      } catch (error) {
        await journal.ended(await (error instanceof Refusal ? row('refused', [], error.code) : row('fault', [])))
        throw error
      }
    },
  }
}

const statusOf = (outcome: AuditOutcome, changes: readonly Undone[]): 'success' | 'error' | '' =>
  outcome === 'intent' ? '' : outcome === 'ok' && changes.every(({ state }) => state === 'restored') ? 'success' : 'error'

/** A closed term: how much of it could not be taken back. */
const reasonOf = (changes: readonly Undone[]): string => {
  const left = changes.filter(({ state }) => state !== 'restored').length
  return left === 0 ? '' : left === changes.length ? 'left' : 'part'
}

const valuesOf = (changes: readonly Undone[]): string => (changes.length === 0 ? '' : JSON.stringify(changes.map(({ path, state }) => [state, path])))
