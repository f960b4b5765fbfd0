/** What one folder holds: bounded, sorted, and without the drafts of writes that are under way. */

import { type Dirent, opendirSync } from 'node:fs'
import { refusal } from '../../kernel/refusal.ts'
import { isDraft } from './atomic-write.ts'
import type { Pin } from './pin.ts'

export interface Entry {
  /** As the disk spells it: untrusted text. */
  readonly name: string
  /** A link is not followed; `other` is a device, socket or FIFO. */
  readonly kind: 'file' | 'folder' | 'link' | 'other'
}

const kindOf = (entry: Dirent): Entry['kind'] => {
  if (entry.isFile()) return 'file'
  if (entry.isDirectory()) return 'folder'
  return entry.isSymbolicLink() ? 'link' : 'other'
}

/** By name, in code unit order. @throws Refusal `file.too-large` beyond `maxEntries`. */
export const listFolder = (folder: Pin, maxEntries: number): readonly Entry[] => {
  const entries: Entry[] = []
  const handle = opendirSync(folder.path)
  try {
    for (let entry = handle.readSync(); entry !== null; entry = handle.readSync()) {
      if (isDraft(entry.name)) continue
      if (!(entries.length < maxEntries)) throw refusal('file.too-large', 'the folder holds too many entries')
      entries.push({ name: entry.name, kind: kindOf(entry) })
    }
  } finally {
    handle.closeSync()
  }
  return entries.sort((one, other) => (one.name < other.name ? -1 : 1))
}
