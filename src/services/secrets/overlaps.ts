/** Makes one finding of matches that overlap, so that a value is reported once and no part of it stays. */

import type { Rule, Span } from './rule.ts'

export interface Match extends Span {
  readonly rule: Rule
  /** The value as it is meant, which may be hidden in the text. */
  readonly value: string
}

/** The surer rule names the finding, then the longer match. */
const isBetter = (one: Match, other: Match): boolean =>
  one.rule.rank !== other.rule.rank ? one.rule.rank > other.rule.rank : one.end - one.start > other.end - other.start

function joined(matches: readonly Match[]): Match[] {
  const found: Match[] = []
  for (const match of [...matches].sort((a, b) => a.start - b.start || b.end - a.end)) {
    const open = found.at(-1)
    if (open === undefined || match.start >= open.end) found.push(match)
    else {
      const best = isBetter(match, open) ? match : open
      const longest = match.end - match.start > open.end - open.start ? match : open
      found[found.length - 1] = { rule: best.rule, value: longest.value, start: open.start, end: Math.max(open.end, match.end) }
    }
  }
  return found
}

/** @param taken stretches in order that do not overlap. @returns those of `spans`, in order, that touch none of them. */
export function apartFrom<S extends Span>(taken: readonly Span[], spans: readonly S[]): S[] {
  let next = 0
  return [...spans].sort((a, b) => a.start - b.start).filter(({ start, end }) => {
    for (let one = taken[next]; one !== undefined && one.end <= start; one = taken[next]) next += 1
    return (taken[next]?.start ?? Number.POSITIVE_INFINITY) >= end
  })
}

/** @returns matches in order that do not overlap. Of a secret and personal data the secret stays. */
export function withoutOverlaps(matches: readonly Match[]): readonly Match[] {
  const secrets = joined(matches.filter(({ rule }) => rule.kind === 'secret'))
  const personal = apartFrom(secrets, joined(matches.filter(({ rule }) => rule.kind === 'personal')))
  return [...secrets, ...personal].sort((a, b) => a.start - b.start)
}
