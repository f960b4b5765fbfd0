/** What a jail changes: each change happens in a folder that is held, and is confirmed to be inside right before it. */

import { linkSync, renameSync, rmdirSync, symlinkSync, unlinkSync } from 'node:fs'
import { refusal } from '../../kernel/refusal.ts'
import { writeAtomically } from './atomic-write.ts'
import { errnoOf, unavailable } from './disk-error.ts'
import { type Entrance, namesInside, parsePath } from './entrance.ts'
import type { WriteHow } from './jail-port.ts'
import type { Pin } from './pin.ts'
import { syncFolder } from './sync-folder.ts'
import { type Ground, pinChild } from './walk.ts'

/** The changes of the port `Jail`, done when they return. */
export interface Changes {
  writeFile(path: string, bytes: Uint8Array, how: WriteHow): void
  remove(path: string): void
  rename(from: string, to: string, how: { readonly overwrite: boolean }): void
  makeLink(path: string, target: string): void
  removeFolder(path: string): void
  makeDirectory(path: string): void
}

export function createChanges(ground: Ground, { visit, visitTarget }: Entrance): Changes {
  /** The name under which a file or a link stands in a folder. @throws Refusal for what is neither. */
  const movable = (folder: Pin, name: string): string => {
    const child = pinChild(ground, folder, name)
    child?.pin.release()
    if (child === undefined) throw unavailable('missing')
    if (!child.pin.stats.isFile() && !child.pin.stats.isSymbolicLink()) throw unavailable('kind')
    return child.name
  }

  return {
    writeFile: (path, bytes, { overwrite, mode }) => visitTarget(path, true, (folder, name) => {
      const confirmInside = () => { namesInside(ground, folder) }
      writeAtomically(bytes, { ground, folder, name, overwrite, confirmInside, ...(mode !== undefined && { mode }) })
    }),

    remove: (path) => visitTarget(path, false, (folder, name) => {
      unlinkSync(`${folder.path}/${movable(folder, name)}`)
      syncFolder(folder)
    }),

    rename: (from, to, { overwrite }) => visitTarget(from, false, (source, name) => {
      const oldName = movable(source, name)
      visitTarget(to, true, (target, newName) => {
        const there = pinChild(ground, target, newName)
        there?.pin.release()
        if (there !== undefined && (!overwrite || !there.pin.stats.isFile())) throw refusal('file.exists')
        ground.onStep()
        namesInside(ground, source)
        namesInside(ground, target)
        const [old, young] = [`${source.path}/${oldName}`, `${target.path}/${there?.name ?? newName}`]
        if (there !== undefined) renameSync(old, young)
        else {
          // A link fails where something came to stand meanwhile; a rename would take its place.
          linkSync(old, young)
          unlinkSync(old)
        }
        syncFolder(target)
        syncFolder(source)
      })
    }),

    makeLink: (path, target) => visitTarget(path, true, (folder, name) => {
      namesInside(ground, folder)
      symlinkSync(target, `${folder.path}/${name}`)
      syncFolder(folder)
    }),

    removeFolder: (path) => visitTarget(path, false, (folder, name) => {
      namesInside(ground, folder)
      try {
        rmdirSync(`${folder.path}/${name}`)
      } catch (error) {
        throw errnoOf(error) === 'ENOTEMPTY' ? refusal('file.exists', 'the folder holds something') : error
      }
      syncFolder(folder)
    }),

    makeDirectory: (path) => visit(parsePath(path), ({ pin }) => {
      if (!pin.stats.isDirectory()) throw unavailable('kind')
    }, { make: true, purpose: 'write' }),
  }
}
