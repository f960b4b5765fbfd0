/** Copies the regular files at or below a path of a tree. Links are not followed, and both caps hold before a byte is written. */

import { Refusal, refusal } from '../../kernel/refusal.ts'
import { FOLDER_MARK, parseRelativePath } from '../../policy/relative-path.ts'
import { openFolderScan } from './folder-scan.ts'

export interface CopyOptions {
  readonly root: string
  /** A path from the root; empty is all of it. */
  readonly below: string
  /** Names of folders that are left out wherever they are. */
  readonly without: ReadonlySet<string>
  readonly maxFiles: number
  /** Of all files together. */
  readonly maxBytes: number
  /** Gets each file by its names from the root. */
  readonly take: (names: readonly string[], bytes: Uint8Array) => void
}

/** @throws Refusal `path.invalid`. */
function namesOf(path: string): readonly string[] {
  if (path === '') return []
  const names = parseRelativePath(path)
  if (names instanceof Refusal) throw names
  return names.filter((name) => name !== FOLDER_MARK)
}

const isBelow = (names: readonly string[], below: readonly string[]): boolean => below.every((name, index) => names[index] === name)

/**
 * What names credentials is left out.
 * @returns how many files there were.
 * @throws Refusal `path.invalid`, `file.too-large` beyond a cap, `file.unavailable` when there is no such tree.
 */
export function copyFiles({ root, below, without, maxFiles, maxBytes, take }: CopyOptions): number {
  const wanted = namesOf(below)
  const scan = openFolderScan(root)
  let [files, bytes] = [0, 0]
  try {
    for (const file of scan.files(wanted.join('/'), { wants: () => true })) {
      const names = file.path.split('/')
      if (!isBelow(names, wanted) || names.slice(0, -1).some((name) => without.has(name))) continue
      if (files >= maxFiles) throw refusal('file.too-large', `at most ${maxFiles} files are copied; name a smaller part of the tree`)
      if (file.size > maxBytes - bytes) throw refusal('file.too-large', `at most ${maxBytes} bytes are copied; name a smaller part of the tree`)
      const content = file.bytes({ maxBytes: maxBytes - bytes })
      files += 1
      bytes += content.length
      take(names, content)
    }
  } finally {
    scan.close()
  }
  return files
}
