/**
 * Splits a command line into arguments as a shell would quote them (POSIX.1-2017, Shell Command Language §2.2), and
 * does nothing else a shell does: no variable, pattern, operator or substitution means anything.
 */

export type SplitCommand = { readonly ok: true; readonly argv: readonly string[] } | { readonly ok: false; readonly problem: string }

const BLANK = /[ \t\r\n]/
/** What a backslash takes away the meaning of between double quotes (§2.2.3). */
const ESCAPABLE = '$`"\\'

/** An empty text is an empty list. */
export function splitCommand(text: string): SplitCommand {
  const argv: string[] = []
  let word: string | undefined
  let quote = ''
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at)
    const next = text.charAt(at + 1)
    if (quote === "'") {
      if (char === "'") quote = ''
      else word += char
    } else if (char === '\\' && (quote === '' || ESCAPABLE.includes(next))) {
      if (next === '') return { ok: false, problem: 'ends in a backslash' }
      word = (word ?? '') + next
      at += 1
    } else if (char === quote) quote = ''
    else if (quote !== '') word += char
    else if (char === "'" || char === '"') {
      quote = char
      word ??= ''
    } else if (!BLANK.test(char)) word = (word ?? '') + char
    else if (word !== undefined) {
      argv.push(word)
      word = undefined
    }
  }
  if (quote !== '') return { ok: false, problem: 'has a quote that is not closed' }
  if (word !== undefined) argv.push(word)
  return { ok: true, argv }
}
