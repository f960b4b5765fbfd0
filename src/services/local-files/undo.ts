/**
 * Takes back what a run changed: bytes, permissions, links and absence, newest change first, by the same rules and
 * through the same jails. Where something else stands by now, it is left alone and said so.
 */

import type { Change, Checkpoints, Image, KeptRun } from '../../kernel/ports/checkpoints.ts'
import type { Undo, Undone, UndoneRun } from '../../kernel/ports/local-files.ts'
import { Refusal, refusal } from '../../kernel/refusal.ts'
import type { Ground, Spot } from './ground.ts'
import { imageOf } from './local-files.ts'

export interface UndoOptions {
  readonly ground: Ground
  readonly checkpoints: Checkpoints
  readonly maxChangeBytes: number
}

export function createUndo({ ground, checkpoints, maxChangeBytes }: UndoOptions): Undo {
  const restore = async ({ jail, path }: Spot, now: Image, before: Image): Promise<void> => {
    if (before.kind === 'absent') return jail.remove(path)
    if (before.kind === 'file') {
      if (now.kind === 'link') await jail.remove(path)
      return jail.writeFile(path, await checkpoints.bytes(before.sha256, maxChangeBytes), { overwrite: now.kind === 'file', mode: before.mode & 0o777 })
    }
    if (now.kind !== 'absent') await jail.remove(path)
    await jail.makeLink(path, before.target)
  }

  const takeBack = async ({ path, before, after, made }: Change): Promise<Undone> => {
    try {
      const spot = await ground.spot(path, 'write')
      const now = await imageOf(spot, await spot.jail.look(spot.path), maxChangeBytes)
      // A change that a crash kept from happening has nothing to be taken back.
      if (!isSame(now, before)) {
        if (!isSame(now, after)) return { path, state: 'changed-since' }
        await restore(spot, now, before)
      }
      for (const folder of [...made].reverse()) await removeEmpty(ground, folder)
      return { path, state: 'restored' }
    } catch (error) {
      if (error instanceof Refusal) return { path, state: 'refused' }
      throw error
    }
  }

  const chosen = async (run: string | undefined): Promise<KeptRun> => {
    const runs = await checkpoints.runs()
    const found = run === undefined ? runs[0] : runs.find((one) => one.run === run)
    if (!found) throw refusal('undo.missing', 'list the runs to see which can be taken back')
    return found
  }

  return {
    async runs() {
      const listed = []
      for (const one of await checkpoints.runs()) listed.push({ run: one.run, at: one.at, paths: [...new Set((await checkpoints.changes(one)).map(({ path }) => path))] })
      return listed
    },
    async undo(run): Promise<UndoneRun> {
      const found = await chosen(run)
      const changes: Undone[] = []
      for (const change of [...(await checkpoints.changes(found))].reverse()) changes.push(await takeBack(change))
      await checkpoints.markUndone(found)
      return { run: found.run, at: found.at, changes }
    },
  }
}

/** Something may have come to stand in it, which keeps it. */
async function removeEmpty(ground: Ground, folder: string): Promise<void> {
  try {
    const { jail, path } = await ground.spot(folder, 'write')
    await jail.removeFolder(path)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
  }
}

const isSame = (one: Image, other: Image): boolean => {
  if (one.kind === 'file' && other.kind === 'file') return one.sha256 === other.sha256 && (one.mode & 0o777) === (other.mode & 0o777)
  if (one.kind === 'link' && other.kind === 'link') return one.target === other.target
  return one.kind === 'absent' && other.kind === 'absent'
}
