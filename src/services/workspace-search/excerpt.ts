/** What an answer says of a declaration: the line that names it, or a few. Cut from text whose credentials are replaced. */

import type { CodeHit } from '../../kernel/ports/code-index.ts'
import type { Detail, WorkspaceHit } from '../../kernel/ports/workspace.ts'

const MAX_SIGNATURE_CHARS = 200
const [MAX_SNIPPET_LINES, MAX_SNIPPET_CHARS] = [4, 320]
/** A name stands near the start of its declaration: behind decorators, attributes and a return type. */
const MAX_LINES_TO_NAME = 60

const cut = (text: string, maxChars: number): string => (text.length <= maxChars ? text : `${text.slice(0, maxChars - 1).replace(/[\ud800-\udbff]$/, '')}…`)

/** The place of the name within the declaration; undefined when it is not there any more. */
function nameLine(lines: readonly string[], { name, startLine, endLine }: CodeHit): number | undefined {
  if (startLine > lines.length) return undefined
  if (name === '') return startLine
  const last = Math.min(endLine, startLine + MAX_LINES_TO_NAME, lines.length)
  for (let line = startLine; line <= last; line += 1) if (lines[line - 1]?.includes(name)) return line
  // A name may be put together, from a heading over two lines for instance; its place then is where it begins.
  const first = name.split(/[^\p{L}\p{N}_$]+/u)[0] ?? ''
  return first !== '' && lines.slice(startLine - 1, last).some((text) => text.includes(first)) ? startLine : undefined
}

/** A chunk that is a file shows nothing of it: its lines are no address of anything in it. */
const isWholeFile = ({ kind, startLine, endLine }: CodeHit, lines: readonly string[]): boolean =>
  kind === 'file' || (startLine <= 1 && endLine >= lines.length)

/** @returns undefined for a declaration that the file does not hold any more. */
export function excerptOf(hit: CodeHit, lines: readonly string[], detail: Detail): WorkspaceHit | undefined {
  const line = nameLine(lines, hit)
  if (line === undefined) return undefined
  const address = { path: hit.path, line, kind: hit.kind, name: hit.name }
  if (hit.kind === 'file') return { ...address, text: '' }
  const signature = cut((lines[line - 1] ?? '').trim().replace(/\s*\{$/, ''), MAX_SIGNATURE_CHARS)
  if (detail === 'signatures' || isWholeFile(hit, lines)) return { ...address, text: signature }
  const snippet = lines.slice(line - 1, Math.min(hit.endLine, line - 1 + MAX_SNIPPET_LINES)).join('\n').trim()
  return { ...address, text: cut(snippet, MAX_SNIPPET_CHARS) }
}
