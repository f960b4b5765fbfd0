/**
 * Cleans text from outside: what a person would not see does not reach a model. Legitimate scripts,
 * emoji and flags stay, and so do pairs of carriage return and line feed. Idempotent.
 */

import { composed } from '../../kernel/normal-form.ts'

// What makes a text worth a closer look: controls, invisible characters, surrogate halves, noncharacters.
const SUSPECT =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u2028\u2029\u2800\ufff9-\ufffb\u{1d159}\p{Default_Ignorable_Code_Point}\p{Cs}\p{Noncharacter_Code_Point}]/u
const PLAIN = /^[\t\n\r\u0020-\u007e]*$/
const LINE_ENDS = /\r(?!\n)|[\u0085\u2028\u2029]/gu

// ECMA-48 §5 and §8.3. Control strings (DCS, SOS, OSC, PM, APC) go with their text when something ends them.
const CONTROL_STRING = /(?:\u001b[P\]X^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u0090\u0098\u009c-\u009f]*(?:\u0007|\u001b\\|\u009c)/gu
const CONTROL_SEQUENCE = /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]?/gu
const ESCAPE = /\u001b(?:[#%()*+\-./][0-~]|[0-?@-Z\\-_c])?/gu
// Tab and line feed stay; a carriage return is part of a line end here, or was replaced before.
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/gu
const LONE_SURROGATES = /\p{Cs}/gu

const tags = (...flags: readonly string[]): string =>
  flags.map((flag) => Array.from(flag, (letter) => String.fromCodePoint(0xe0000 + (letter.codePointAt(0) ?? 0))).join('')).join('|')
const EMOJI = '\\p{Extended_Pictographic}[\\ufe0e\\ufe0f]?[\\u{1f3fb}-\\u{1f3ff}]?'
// Scripts that shape letters by joiners (RFC 5892 appendix A, more widely: what is written, not what names may hold).
const JOINING = [
  'Arab', 'Nkoo', 'Mand', 'Mong', 'Rohg', 'Adlm', 'Deva', 'Beng', 'Guru', 'Gujr', 'Orya', 'Taml', 'Telu',
  'Knda', 'Mlym', 'Sinh', 'Khmr', 'Mymr', 'Tibt', 'Java', 'Bali', 'Gran', 'Newa', 'Tirh', 'Cakm', 'Mtei', 'Sylo',
].map((script) => `\\p{Script_Extensions=${script}}`).join('').concat('\\p{Script=Syriac}')

/** Any variation selector. A run of them means nothing and can carry a message, so of a run none stays. */
const SELECTOR = '[\\u180b-\\u180d\\u180f\\ufe00-\\ufe0f\\u{e0100}-\\u{e01ef}]'
/** What each selector may stand behind (StandardizedVariants.txt; UTS #37 for ideographs): a form that is not the usual one. */
const VARIANTS = [
  ['(?=\\p{L})\\p{Script=Mongolian}', '[\\u180b-\\u180d\\u180f]'],
  ['\\p{Script=Han}', '[\\ufe00-\\ufe02\\u{e0100}-\\u{e01ef}]'],
  ['[\\p{Script=Myanmar}\\p{Script=Phags_Pa}]', '[\\ufe00-\\ufe02]'],
  // Zero with a slash, and mathematical operators.
  ['[0\\u2205\\u2229\\u222a\\u2268\\u2269\\u2272\\u2273\\u228a\\u228b\\u2293-\\u2295\\u2297\\u229c\\u22da\\u22db\\u2a3c\\u2a3d\\u2a9d\\u2a9e\\u2aac\\u2aad\\u2acb\\u2acc]', '\\ufe00'],
].map(([base, selector]) => `${base}${selector}(?!${SELECTOR})`).join('|')

/**
 * Invisible characters, and before them the sequences in which they mean something: subdivision flags that
 * exist (UTS #51 §1.4.9), keycaps, emoji, variants of one letter, one joiner behind a letter that joins, and the
 * separator before the last vowel of a Mongolian word.
 */
const INVISIBLE = new RegExp(
  `(\\u{1f3f4}(?:${tags('gbeng', 'gbsct', 'gbwls', 'gbnir', 'usca', 'ustx')})\\u{e007f}|[0-9#*]\\ufe0f\\u20e3|${EMOJI}(?:\\u200d${EMOJI})*` +
    `|${VARIANTS}` +
    `|(?<=[${JOINING}])[\\u200c\\u200d]|(?<=\\p{Script=Mongolian})\\u180e(?=[\\u1820\\u1821]))|[\\p{Default_Ignorable_Code_Point}\\p{Noncharacter_Code_Point}\\ufff9-\\ufffb]`,
  'gu',
)
/** What is not seen, or depends on what stands behind it. */
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\ufff9-\ufffb\u{1d159}]/gu
/** Honest text is at rest after two or three. */
const MAX_ROUNDS = 8

/** What Braille is written in: its cells, and the blanks between them. A cell without dots is a blank to the eye alone. */
const BRAILLE = /[\u2800-\u28ff][\s\u2800-\u28ff]*/gu
const HAS_DOTS = /[\u2801-\u28ff]/
/** A note's head that shows nothing, where no stem follows it. */
const NULL_NOTES = /\u{1d159}(?![\u{1d165}\u{1d166}])/gu

/** Unicode text in NFC (UAX #15) without control and invisible characters, with at most 30 marks in a row. Linear time. */
export const cleanText = (text: string): string => {
  if (PLAIN.test(text) && !text.includes('\r')) return text
  return atRest(text, (one) => composed(stripped(one)))
}

/** As {@link cleanText}, but composed and decomposed spellings stay apart: for names that are compared unit by unit. */
export const cleanName = (text: string): string => atRest(text, stripped)

/** Removing one thing can join two halves of another, so it ends only where nothing changes. */
function atRest(text: string, clean: (text: string) => string): string {
  let before = text
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const after = clean(before)
    if (after === before) return after
    before = after
  }
  // A text can be made so that each round takes away but one thing. Without what is not seen there is nothing to take.
  return clean(before.replace(UNSEEN, ''))
}

const stripped = (text: string): string => {
  const lines = text.replace(LINE_ENDS, '\n')
  if (!SUSPECT.test(lines)) return lines
  return lines
    .replace(CONTROL_STRING, '')
    .replace(CONTROL_SEQUENCE, '')
    .replace(ESCAPE, '')
    .replace(CONTROLS, '')
    .replace(LONE_SURROGATES, '\ufffd')
    .replace(INVISIBLE, '$1')
    .replace(NULL_NOTES, '')
    .replace(BRAILLE, (run) => (HAS_DOTS.test(run) ? run : run.replaceAll('\u2800', '\u00a0')))
    .replace(LINE_ENDS, '\n')
}

/** One line: names, paths, headers, snippets. Idempotent. @param maxChars UTF-16 units kept; no character is cut in two. */
export function cleanLine(text: string, maxChars = 4096): string {
  const line = cleanText(text).replace(/[\r\n\t]+/g, ' ')
  if (line.length <= maxChars) return line
  const isSplit = /[\ud800-\udbff]/.test(line[maxChars - 1] ?? '')
  // What joins, selects or closes a sequence can be left without it.
  return cleanText(line.slice(0, isSplit ? maxChars - 1 : maxChars))
}
