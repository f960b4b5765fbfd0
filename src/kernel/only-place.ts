/** Where a text stands in another, if it does so once. */

/** The platform's search looks back over at most so many units, and for longer texts takes the product of both lengths at worst. */
const SHORT = 250

/** @returns the first place, or undefined where there is none or more than one. No text is found nowhere. */
export function onlyPlaceOf(part: string, text: string): number | undefined {
  if (part === '') return undefined
  const indexOf = part.length <= SHORT ? (from: number): number => text.indexOf(part, from) : searchFor(part, text)
  const at = indexOf(0)
  return at < 0 || indexOf(at + 1) >= 0 ? undefined : at
}

/** Looks at each unit of both once or twice (Knuth, Morris and Pratt, 1977). */
function searchFor(part: string, text: string): (from: number) => number {
  const borders = bordersOf(part)
  return (from) => {
    let matched = 0
    for (let at = from; at < text.length; at += 1) {
      const unit = text.charCodeAt(at)
      while (matched > 0 && part.charCodeAt(matched) !== unit) matched = borders[matched - 1] ?? 0
      if (part.charCodeAt(matched) === unit) matched += 1
      if (matched === part.length) return at - matched + 1
    }
    return -1
  }
}

/** Of each beginning of the text the length of the longest one that it also ends with. */
function bordersOf(part: string): Uint32Array {
  const borders = new Uint32Array(part.length)
  let length = 0
  for (let at = 1; at < part.length; at += 1) {
    while (length > 0 && part.charCodeAt(length) !== part.charCodeAt(at)) length = borders[length - 1] ?? 0
    if (part.charCodeAt(length) === part.charCodeAt(at)) length += 1
    borders[at] = length
  }
  return borders
}
