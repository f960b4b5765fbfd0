/** Watches one small text file by looking at it twice a second, which also sees it appear, move and vanish. */

import { readFileSync, statSync } from 'node:fs'

/** Milliseconds between two looks at a file. */
export const POLL_MS = 500
const MAX_CHARS = 65_536

/**
 * Calls `onText` with the file's text at once and after each change. A missing or unreadable file is
 * reported as undefined, and so is one of more than `maxChars`. @returns a function that stops watching.
 */
export function watchText(file: string, onText: (text: string | undefined) => void, maxChars = MAX_CHARS): () => void {
  let seen: string | undefined = 'nothing yet'
  const look = (): void => {
    // The mark is taken before the text: a change in between is seen again at the next look.
    const mark = markOf(file)
    if (mark === seen) return
    seen = mark
    onText(mark === undefined ? undefined : readSmall(file, maxChars))
  }
  look()
  const timer = setInterval(look, POLL_MS)
  timer.unref()
  return () => clearInterval(timer)
}

/** What changes whenever the file does. */
function markOf(file: string): string | undefined {
  try {
    const { ino, size, mtimeNs, ctimeNs } = statSync(file, { bigint: true })
    return [ino, size, mtimeNs, ctimeNs].join(' ')
  } catch {
    return undefined
  }
}

function readSmall(file: string, maxChars: number): string | undefined {
  try {
    const text = readFileSync(file, 'utf8')
    return text.length <= maxChars ? text : undefined
  } catch {
    return undefined
  }
}
