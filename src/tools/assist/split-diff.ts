/** Cuts a diff into parts that fit a prompt: between files where that is enough, else between hunks, else between lines. */

import type { DiffFile } from './unified-diff.ts'

export interface DiffPart {
  readonly text: string
  /** Files that begin in this part. */
  readonly files: number
}

const CUT = '[the rest of this hunk is left out]'

/** @param maxChars UTF-16 units of a part. Lines that would be longer than a part, alone, are cut. */
export function splitDiff(files: readonly DiffFile[], maxChars: number): readonly DiffPart[] {
  const parts: DiffPart[] = []
  let open: string[] = []
  let size = 0
  let begun = 0
  const close = (): void => {
    if (open.length > 0) parts.push({ text: open.join('\n'), files: begun })
    open = []
    size = 0
    begun = 0
  }
  for (const file of files) {
    for (const [index, text] of pieces(file, maxChars).entries()) {
      if (size + text.length + 1 > maxChars) close()
      open.push(text)
      size += text.length + 1
      if (index === 0) begun += 1
    }
  }
  close()
  return parts
}

/** The whole file, or its hunks, each under the header, so that a part can be read alone. */
function pieces({ header, hunks }: DiffFile, maxChars: number): readonly string[] {
  const whole = [...header, ...hunks.flat()].join('\n')
  if (whole.length <= maxChars) return [whole]
  const names = header.join('\n').slice(0, maxChars >> 1)
  const room = maxChars - names.length - 1
  return hunks.length === 0 ? [names] : hunks.map((hunk) => `${names}\n${shortened(hunk.join('\n'), room)}`)
}

function shortened(hunk: string, maxChars: number): string {
  if (hunk.length <= maxChars) return hunk
  const kept = hunk.slice(0, Math.max(0, maxChars - CUT.length - 1))
  const end = kept.lastIndexOf('\n')
  return `${end > 0 ? kept.slice(0, end) : kept}\n${CUT}`
}
