/** Watches one small text file by polling its status, which also sees it appear, move and vanish. */

import { readFileSync, unwatchFile, watchFile } from 'node:fs'

const POLL_MS = 500
const MAX_BYTES = 65_536

/**
 * Calls `onText` with the file's text at once and after each change. A missing or unreadable file is
 * reported as undefined. @returns a function that stops watching.
 */
export function watchText(file: string, onText: (text: string | undefined) => void): () => void {
  const report = (): void => onText(readSmall(file))
  report()
  watchFile(file, { interval: POLL_MS, persistent: false }, report)
  return () => unwatchFile(file, report)
}

function readSmall(file: string): string | undefined {
  try {
    const text = readFileSync(file, 'utf8')
    return text.length <= MAX_BYTES ? text : undefined
  } catch {
    return undefined
  }
}
