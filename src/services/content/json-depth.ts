/** Nesting of JSON, counted before anything parses it: one pass over the characters, brackets in strings aside. */

const QUOTE = 0x22
const BACKSLASH = 0x5c
/** `[` and `{`, `]` and `}`, differ in this bit alone. */
const CURLY = 0x20
const OPENER = 0x7b
const CLOSER = 0x7d

/** @returns whether brackets nest at most `maxDepth` deep. Says nothing about whether the text is JSON. */
export function isShallowJson(text: string, maxDepth: number): boolean {
  let depth = 0
  let inString = false
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    if (inString) {
      if (unit === BACKSLASH) at += 1
      else if (unit === QUOTE) inString = false
    } else if (unit === QUOTE) inString = true
    else if ((unit | CURLY) === OPENER) {
      depth += 1
      if (depth > maxDepth) return false
    } else if ((unit | CURLY) === CLOSER) depth -= 1
  }
  return true
}
