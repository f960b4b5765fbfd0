/** A plain chunker for measurements and tests: Python by indentation, everything else as one chunk. */

import type { CodeChunk } from '../../kernel/ports/code-index.ts'

const DECLARATION = /^([ \t]*)(?:async[ \t]+)?(def|class)[ \t]+([\p{L}\p{N}_]+)/u
const DOC = /^\s*(?:#[^\n]*\n\s*)*[rRuUbB]{0,2}("""|'''|"|')/
const COMMENT = /(?:^|\s)#[^\n]*/g

/** Where the signature that starts at `at` ends: the colon outside of brackets and strings. */
function signatureEnd(text: string, at: number): number {
  let depth = 0
  for (let i = at; i < text.length; i += 1) {
    const sign = text.charAt(i)
    if ('([{'.includes(sign)) depth += 1
    else if (')]}'.includes(sign)) depth -= 1
    else if (sign === ':' && depth <= 0) return i
    else if (sign === '"' || sign === "'") i = Math.max(i, text.indexOf(sign, i + 1))
  }
  return text.length
}

export interface Parts {
  readonly signature: string
  readonly doc: string
  readonly body: string
}

/** The parts of one Python declaration that begins with `def NAME` or `class NAME`. */
export function partsOf(text: string, nameEnd: number): Parts {
  const end = signatureEnd(text, nameEnd)
  const rest = text.slice(end + 1)
  const open = DOC.exec(rest)
  const quote = open?.[1] ?? ''
  const start = open?.[0].length ?? 0
  const close = open === null ? -1 : rest.indexOf(quote, start)
  const signature = text.slice(nameEnd, end)
  return close < 0
    ? { signature, doc: '', body: rest }
    : { signature, doc: rest.slice(start, close), body: rest.slice(close + quote.length) }
}

/** A declaration without what people wrote about it. */
export const withoutComments = (chunk: CodeChunk): CodeChunk => ({ ...chunk, doc: '', body: chunk.body.replace(COMMENT, ' ') })

/** Declarations of a Python text, each up to the next line that is indented no deeper. */
export function pythonChunks(text: string): readonly CodeChunk[] {
  const lines = text.split('\n')
  const chunks: CodeChunk[] = []
  const open: { indent: number; name: string }[] = []
  lines.forEach((line, at) => {
    const [all = '', space = '', kind = '', name = ''] = DECLARATION.exec(line) ?? []
    if (all === '') return
    while ((open.at(-1)?.indent ?? -1) >= space.length) open.pop()
    let end = at + 1
    while (end < lines.length && !/\S/.test((lines[end] ?? '').slice(0, space.length + 1))) end += 1
    while (!/\S/.test(lines[end - 1] ?? '')) end -= 1
    const parts = partsOf(lines.slice(at, end).join('\n'), all.length)
    chunks.push({ name, kind: kind === 'def' ? 'function' : 'class', container: open.map((one) => one.name).join('.'), ...parts, startLine: at + 1, endLine: end })
    open.push({ indent: space.length, name })
  })
  return chunks
}

/** One chunk for the whole of a text. */
export const wholeFile = (path: string, text: string): readonly CodeChunk[] => [{
  name: path.split('/').at(-1) ?? path, kind: 'file', container: '', signature: '', doc: '', body: text, startLine: 1, endLine: text.split('\n').length,
}]

export const simpleChunks = (path: string, text: string): readonly CodeChunk[] => (path.endsWith('.py') ? pythonChunks(text) : wholeFile(path, text))
