/**
 * Reads a unified diff (POSIX.1-2017 `diff -u`, with the headers that git adds) into files and hunks. One look at
 * each line; what stands around the files, such as the message of a commit, is left out.
 */

export interface DiffFile {
  /** Lines before the first hunk: names, modes, renames. */
  readonly header: readonly string[]
  readonly hunks: readonly (readonly string[])[]
  readonly added: number
  readonly removed: number
}

interface OpenFile {
  readonly header: string[]
  readonly hunks: string[][]
  added: number
  removed: number
}

/** Lines of the old and the new side that the open hunk still promises. */
interface Promised {
  old: number
  new: number
}

const HUNK = /^@@ -\d{1,9}(?:,(\d{1,9}))? \+\d{1,9}(?:,(\d{1,9}))? @@/
const GIT = /^diff --git /
/** What git writes between its first line and the names. */
const GIT_HEADER = /^(?:index |(?:old|new|deleted file|new file) mode |(?:dis)?similarity index |(?:rename|copy) (?:from|to) |Binary files |GIT binary patch)/

/** @returns undefined for a text that holds no file with a change. */
export function parseUnifiedDiff(text: string): readonly DiffFile[] | undefined {
  const lines = text.split('\n')
  const files: OpenFile[] = []
  let promised: Promised = { old: 0, new: 0 }
  for (const [index, raw] of lines.entries()) {
    const line = raw.endsWith('\r') ? raw.slice(0, -1) : raw
    const file = files.at(-1)
    const isOpen = file !== undefined && (promised.old > 0 || promised.new > 0)
    // Counts that promise too much must not swallow the file that follows.
    if (isOpen && !isNextFile(lines, index) && takesLine(file, line, promised)) continue
    if (GIT.test(line) || startsPlainFile(lines, index, file)) {
      files.push({ header: [line], hunks: [], added: 0, removed: 0 })
      promised = { old: 0, new: 0 }
    } else if (file !== undefined) promised = takesHeader(file, line) ?? promised
  }
  const changed = files.filter(hasChange)
  return changed.length === 0 ? undefined : changed
}

const isNextFile = (lines: readonly string[], index: number): boolean =>
  lines[index]?.startsWith('--- ') === true && lines[index + 1]?.startsWith('+++ ') === true && HUNK.test(lines[index + 2] ?? '')

/** `--- old` and `+++ new`, unless they are the names of a file that git's own line began. */
const startsPlainFile = (lines: readonly string[], index: number, file: OpenFile | undefined): boolean =>
  lines[index]?.startsWith('--- ') === true && lines[index + 1]?.startsWith('+++ ') === true && (file === undefined || file.hunks.length > 0 || !GIT.test(file.header[0] ?? ''))

/** Whether a line belongs to the open hunk. An empty one is context whose blank was lost on the way. */
function takesLine(file: OpenFile, line: string, promised: Promised): boolean {
  const sign = line[0] ?? ' '
  if (sign !== ' ' && sign !== '+' && sign !== '-' && sign !== '\\') return false
  file.hunks.at(-1)?.push(line)
  if (sign === '\\') return true
  if (sign !== '+') promised.old -= 1
  if (sign !== '-') promised.new -= 1
  if (sign === '+') file.added += 1
  if (sign === '-') file.removed += 1
  return true
}

/** @returns what a hunk promises, where the line begins one. */
function takesHeader(file: OpenFile, line: string): Promised | undefined {
  const hunk = HUNK.exec(line)
  if (hunk) {
    file.hunks.push([line])
    return { old: Number(hunk[1] ?? 1), new: Number(hunk[2] ?? 1) }
  }
  if (file.hunks.length > 0) {
    if (line.startsWith('\\ ')) file.hunks.at(-1)?.push(line)
  } else if (GIT_HEADER.test(line) || line.startsWith('--- ') || line.startsWith('+++ ')) file.header.push(line)
  return undefined
}

/** A hunk that changes a line, or a change that git tells in a header: a mode, a rename, a binary file. */
const hasChange = ({ header, added, removed }: OpenFile): boolean => added + removed > 0 || header.slice(1).some((line) => GIT_HEADER.test(line) && !line.startsWith('index '))
