/** What a person reads before and after something is taken back: the runs with what they were for, and what of a run stays. */

import type { AuditRow } from '../kernel/audit.ts'
import type { Undone, UndoneRun } from '../kernel/ports/local-files.ts'
import { files } from '../tools/files/index.ts'
import type { App } from './create-app.ts'

export interface ListedRun {
  readonly run: string
  /** Milliseconds since 1970-01-01 UTC. */
  readonly at: number
  /** The request's own words, without credentials; empty where the trail does not have them any more. */
  readonly motive: string
  readonly paths: readonly string[]
}

export interface UndoReport extends UndoneRun {
  /** Each path once. Where it was changed several times, one that could not be taken back counts. */
  readonly changes: readonly Undone[]
  /** Tools whose effects the run had and that leave nothing behind to take back. */
  readonly stays: readonly string[]
}

/** Tools whose changes can be taken back. */
const KEPT: ReadonlySet<string> = new Set(files.tools.filter(({ effect }) => effect !== 'read').map(({ name }) => name))

/** Whether a call of this tool can be taken back. */
export const changesFiles = (tool: string): boolean => KEPT.has(tool)

export async function listRuns({ undo }: Pick<App, 'undo'>, rows: readonly AuditRow[]): Promise<readonly ListedRun[]> {
  const motives = new Map(rows.flatMap(({ errand }) => (errand && errand.motive !== '' ? [[errand.request, errand.motive] as const] : [])))
  return (await undo.runs()).map(({ run, at, paths }) => ({ run, at, paths, motive: motives.get(run) ?? '' }))
}

/** @throws Refusal as `undo` does. */
export async function takeBack({ undo }: Pick<App, 'undo'>, rows: readonly AuditRow[], run?: string): Promise<UndoReport> {
  const undone = await undo.undo(run, 'cli')
  const changes = new Map<string, Undone>()
  for (const change of undone.changes) if (changes.get(change.path)?.state !== 'changed-since' && changes.get(change.path)?.state !== 'refused') changes.set(change.path, change)
  return { ...undone, changes: [...changes.values()], stays: effectsOf(rows, undone.run) }
}

/** An effect is announced in a row of its own, so every tool that has one is known by it. */
function effectsOf(rows: readonly AuditRow[], run: string): readonly string[] {
  const own = rows.filter(({ errand, kind }) => errand?.request === run && kind === 'tool')
  const done = new Set(own.filter(({ outcome }) => outcome === 'ok' || outcome === 'task').map(({ id }) => id))
  return [...new Set(own.filter(({ id, outcome, component }) => outcome === 'intent' && done.has(id) && !changesFiles(component)).map(({ component }) => component))]
}
