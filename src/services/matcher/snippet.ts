/** The part of a line that is shown for a match: bounded, around the match, and never half a character. */

interface Match {
  /** UTF-16 offset and length in the line. */
  readonly at: number
  readonly length: number
}

/** A cluster longer than this is cut between its characters. */
const CLUSTER_UNITS = 64
/** Its tables take longer to load than most starts have left, and most lines are shown whole. */
let clusters: Intl.Segmenter | undefined

interface Cluster {
  readonly start: number
  readonly end: number
}

/** Whether a place is in the middle of a character. */
const isLow = (line: string, at: number): boolean =>
  (line.charCodeAt(at) & 0xfc00) === 0xdc00 && (line.charCodeAt(at - 1) & 0xfc00) === 0xd800

const FLAG_HALF = /^[\u{1f1e6}-\u{1f1ff}]/u
/** Beyond so many letters of flags in a row, halves are taken for wholes. */
const FLAG_RUN = 500

/** Flags are pairs of letters, so which letters pair is told only from the first of a run. */
const flagStart = (line: string, at: number): number => {
  let start = isLow(line, at) ? at - 1 : at
  for (let left = FLAG_RUN; left > 0 && FLAG_HALF.test(line.slice(Math.max(0, start - 2), start)); left -= 1) start -= 2
  return start
}

/** The cluster that covers a place (UAX #29), as far as it can be told from its surroundings. */
const clusterAt = (line: string, at: number): Cluster => {
  const from = flagStart(line, Math.max(0, at - CLUSTER_UNITS))
  const found = (clusters ??= new Intl.Segmenter('und', { granularity: 'grapheme' })).segment(line.slice(from, at + CLUSTER_UNITS)).containing(at - from)
  const start = from + (found?.index ?? at - from)
  return { start, end: start + (found?.segment.length ?? 0) }
}

/** First whole cluster at or after a place, or the next character when that is beyond `limit`. */
const forward = (line: string, at: number, limit: number): number => {
  if (at === 0) return 0
  const { start, end } = clusterAt(line, at)
  if (start === at) return at
  return end <= limit ? end : at + (isLow(line, at) ? 1 : 0)
}

const backward = (line: string, at: number, limit: number): number => {
  if (at >= line.length) return line.length
  const { start } = clusterAt(line, at)
  return start > limit ? start : at - (isLow(line, at) ? 1 : 0)
}

export interface Snippet {
  readonly snippet: string
  readonly isCut: boolean
}

/** At most `maxChars` UTF-16 units with the match in the middle; the start of the match when that alone is longer. */
export const snippetOf = (line: string, { at, length }: Match, maxChars: number): Snippet => {
  if (line.length <= maxChars) return { snippet: line, isCut: false }
  const before = Math.max(0, maxChars - length) >> 1
  const wanted = Math.max(0, Math.min(at - before, line.length - maxChars))
  const from = forward(line, wanted, at)
  const to = backward(line, Math.min(line.length, wanted + maxChars), Math.min(at + length, wanted + maxChars) - 1)
  return { snippet: line.slice(from, Math.max(from, to)), isCut: true }
}
