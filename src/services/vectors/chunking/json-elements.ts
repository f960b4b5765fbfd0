/** Cuts a JSON text between its elements, outermost first, and into those that are longer than a chunk. */

import type { Chunk } from './pack.ts'

interface Span {
  readonly from: number
  readonly to: number
}

const MAX_DEPTH = 32

/** @returns undefined for a text that is no JSON object or list. */
export function jsonChunks(text: string, maxChars: number): readonly Chunk[] | undefined {
  if (!isContainer(text)) return undefined
  const spans = split(text, { from: 0, to: text.length }, maxChars, 0)
  const lineOf = lineCounter(text)
  return merge(spans, maxChars).flatMap(({ from, to }) => {
    const body = text.slice(from, to)
    const lead = body.length - body.trimStart().length
    const trimmed = body.trim()
    return trimmed === '' ? [] : [{ text: trimmed, startLine: lineOf(from + lead), endLine: lineOf(from + lead + trimmed.length - 1) }]
  })
}

function isContainer(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null
  } catch {
    return false
  }
}

/** Seams after each comma of the outermost level; an element that is still too long is cut at its own commas. */
function split(text: string, span: Span, maxChars: number, level: number): readonly Span[] {
  if (span.to - span.from <= maxChars) return [span]
  const seams = commas(text, span)
  if (seams.length === 0 || level >= MAX_DEPTH) return hardCut(text, span, maxChars)
  const parts = [span.from, ...seams].map((from, index) => ({ from, to: seams[index] ?? span.to }))
  return parts.flatMap((part) => split(text, part, maxChars, level + 1))
}

/** Places after the commas at the lowest depth at which there are any. */
function commas(text: string, { from, to }: Span): readonly number[] {
  let [depth, lowest] = [0, Number.POSITIVE_INFINITY]
  let found: number[] = []
  for (let at = from; at < to; at += 1) {
    const char = text[at]
    if (char === '"') at = endOfString(text, at)
    else if (char === '{' || char === '[') depth += 1
    else if (char === '}' || char === ']') depth -= 1
    else if (char === ',' && depth <= lowest && at + 1 < to) {
      if (depth < lowest) found = []
      lowest = depth
      found.push(at + 1)
    }
  }
  return found
}

function endOfString(text: string, start: number): number {
  let at = start + 1
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at
}

function hardCut(text: string, { from, to }: Span, maxChars: number): readonly Span[] {
  const spans: Span[] = []
  for (let at = from; at < to; ) {
    const end = Math.min(to, at + maxChars)
    const splitsPair = end < to && end - at > 1 && /[\ud800-\udbff]/.test(text.charAt(end - 1))
    spans.push({ from: at, to: splitsPair ? end - 1 : end })
    at = splitsPair ? end - 1 : end
  }
  return spans
}

/** Neighbours share a chunk while they fit. */
function merge(spans: readonly Span[], maxChars: number): readonly Span[] {
  const merged: Span[] = []
  for (const span of spans) {
    const last = merged.at(-1)
    if (last && span.to - last.from <= maxChars) merged[merged.length - 1] = { from: last.from, to: span.to }
    else merged.push(span)
  }
  return merged
}

/** Asked in rising order. */
function lineCounter(text: string): (place: number) => number {
  let [at, line] = [0, 1]
  return (place) => {
    for (; at < place; at += 1) if (text[at] === '\n') line += 1
    return line
  }
}
