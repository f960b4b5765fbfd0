/**
 * The patterns that permission rules name files with: `*` and `?` within a name, `**` for any number of names. Nothing
 * else is syntax. Every pattern is tried in time that grows with pattern times path, whatever either holds.
 */

/** Names of one absolute or relative pattern; `**` stands for any number of them. */
export type PathGlob = readonly string[]

const MAX_CHARS = 1_024
/** Other shells' sets and choices would match nothing here in silence, so they are no pattern. */
const FOREIGN = /[[\]{}!\\\0]/

export const isGlobbed = (name: string): boolean => /[*?]/.test(name)

/** The names of a pattern; undefined for one that could not be held to as it is written. */
export function parseGlob(pattern: string): PathGlob | undefined {
  if (pattern === '' || pattern.length > MAX_CHARS || FOREIGN.test(pattern)) return undefined
  const names: string[] = []
  for (const name of pattern.normalize('NFC').split('/')) {
    if (name === '' || name === '.') continue
    if (name !== '..') names.push(name)
    // A step up is taken where it is known what it leaves.
    else if (names.length === 0 || isGlobbed(names.at(-1) ?? '')) return undefined
    else names.pop()
  }
  return names
}

/** Whether a name is one of the pattern's: two places are remembered, so nothing is tried twice (Krauss, "Matching Wildcards", 2008). */
function nameMatches(pattern: string, name: string): boolean {
  let [at, place, star, mark] = [0, 0, -1, 0]
  while (place < name.length) {
    const sign = pattern[at]
    if (sign === '*') {
      star = at
      mark = place
      at += 1
    } else if (sign === '?' || (sign !== undefined && sign === name[place])) {
      at += 1
      place += 1
    } else if (star >= 0) {
      at = star + 1
      mark += 1
      place = mark
    } else return false
  }
  while (pattern[at] === '*') at += 1
  return at === pattern.length
}

/** @param below whether what is named may also lie below a folder that the pattern names. */
export function globMatches(glob: PathGlob, names: readonly string[], { below }: { readonly below: boolean }): boolean {
  // Which numbers of names the pattern so far can have taken.
  let reached: boolean[] = [true, ...names.map(() => false)]
  for (const part of glob) {
    if (part === '**') {
      const first = reached.indexOf(true)
      reached = reached.map((_, at) => first >= 0 && at >= first)
    } else reached = reached.map((_, at) => at > 0 && reached[at - 1] === true && nameMatches(part, names[at - 1] ?? ''))
  }
  return below ? reached.includes(true) : reached[names.length] === true
}
