/** Hears that something changed right in one of many folders. What changed is not told: whoever hears looks again. */

import { watch } from 'node:fs'
import type { FSWatcher } from 'node:fs'
import { join } from 'node:path'

export interface FolderWatch {
  /** Watches these and no others, from the root. @returns whether all of them are watched. */
  only(folders: ReadonlySet<string>): boolean
  close(): void
}

/** The system lends each user some thousand watches, and other programs want some. */
const MAX_FOLDERS = 2_048

/** Opens nothing before `only`. Never keeps a process alive. */
export function watchFolders(root: string, onChange: () => void): FolderWatch {
  const watched = new Map<string, FSWatcher>()
  const drop = (folder: string): void => {
    watched.get(folder)?.close()
    watched.delete(folder)
  }
  const add = (folder: string): boolean => {
    try {
      const watcher = watch(join(root, folder), { persistent: false }, onChange)
      watcher.on('error', () => {
        drop(folder)
        onChange()
      })
      watched.set(folder, watcher)
      return true
    } catch {
      return false
    }
  }
  return {
    only(folders) {
      for (const folder of [...watched.keys()]) if (!folders.has(folder)) drop(folder)
      if (folders.size > MAX_FOLDERS) return false
      // No array method that stops early: each one is worth watching.
      let all = true
      for (const folder of folders) all = (watched.has(folder) || add(folder)) && all
      return all
    },
    close() {
      for (const folder of [...watched.keys()]) drop(folder)
    },
  }
}
