/** Hits as lines: where, and what stands there. A brief answer is cut so that the whole of it stays within two kilobytes. */

import type { WorkspaceHit } from '../../kernel/ports/workspace.ts'

/** UTF-8 bytes of the lines of a brief answer; the rest is the frame around them. */
const BRIEF_BYTES = 1_240
/** Fewer say nothing. */
const MIN_TEXT_BYTES = 24

const encoder = new TextEncoder()
const bytesOf = (text: string): number => encoder.encode(text).length

/** A line of an answer is one line, whatever a file is named. */
const place = ({ path, line }: WorkspaceHit): string => `${path.replace(/[\r\n\u2028\u2029]/g, '\ufffd')}:${line}`
const said = ({ kind, name, text }: WorkspaceHit): string => (text === '' ? `${kind} ${name}`.trim() : text)

/** Whole characters in at most so many bytes, with a mark where something was cut. */
function fitted(text: string, maxBytes: number): string {
  if (bytesOf(text) <= maxBytes) return text
  const { read } = encoder.encodeInto(text, new Uint8Array(Math.max(0, maxBytes - 3)))
  return `${text.slice(0, read)}…`
}

export function addressLines(hits: readonly WorkspaceHit[], { isBrief }: { readonly isBrief: boolean }): readonly string[] {
  if (!isBrief) return hits.map((hit) => lineOf(hit, said(hit)))
  const kept: WorkspaceHit[] = []
  let bytes = 0
  for (const hit of hits) {
    bytes += bytesOf(place(hit)) + 2
    if (kept.length > 0 && bytes + (kept.length + 1) * MIN_TEXT_BYTES > BRIEF_BYTES) break
    kept.push(hit)
  }
  return withShares(kept)
}

/** What short texts leave over goes to the longer ones. */
function withShares(hits: readonly WorkspaceHit[]): readonly string[] {
  let left = BRIEF_BYTES - hits.reduce((sum, hit) => sum + bytesOf(place(hit)) + 2, 0)
  const shares = new Map<WorkspaceHit, number>()
  const byLength = [...hits].sort((a, b) => bytesOf(said(a)) - bytesOf(said(b)))
  byLength.forEach((hit, at) => {
    const share = Math.max(MIN_TEXT_BYTES, Math.min(bytesOf(said(hit)), Math.floor(left / (byLength.length - at))))
    shares.set(hit, share)
    left -= share
  })
  return hits.map((hit) => lineOf(hit, fitted(said(hit), shares.get(hit) ?? MIN_TEXT_BYTES)))
}

/** Further lines of a snippet stand under the first, indented. */
const lineOf = (hit: WorkspaceHit, text: string): string => `${place(hit)} ${text.split('\n').join('\n    ')}`
