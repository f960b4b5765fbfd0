/**
 * Cleans text from outside: what a person would not see does not reach a model. Legitimate scripts,
 * emoji and flags stay. Idempotent: cleaning twice changes nothing.
 */

// ECMA-48 control sequences (CSI, OSC, and the two-byte escapes), before their ESC is removed.
const ANSI = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\-_])|\u009b[0-?]*[ -/]*[@-~]/gu
// C0 and C1 controls but tab and line feed; carriage returns are handled as line ends first.
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/gu
// Zero-width, bidirectional, invisible operators, annotation and deprecated format characters, byte order mark.
const HIDDEN = /[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb]/gu
// Joiners are part of emoji and of several scripts; a run of them, or one beside plain text, is not.
const LONE_JOINERS = /(?<![\p{Extended_Pictographic}\p{M}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Kannada}\p{Script=Telugu}\p{Script=Tamil}\ufe0f\u{1f3fb}-\u{1f3ff}])[\u200c\u200d]+|(?<=[\u200c\u200d])[\u200c\u200d]+/gu
const TAG_FLAG = /\u{1f3f4}[\u{e0061}-\u{e007a}\u{e0030}-\u{e0039}]{3,6}\u{e007f}/gu
const TAGS = /[\u{e0000}-\u{e007f}]/gu
const SUPPLEMENTARY_SELECTORS = /[\u{e0100}-\u{e01ef}]/gu
const LONE_SELECTORS = /(?<![\p{Emoji}\p{Extended_Pictographic}\p{Script=Han}\p{Script=Mongolian}])[\ufe00-\ufe0f]+|(?<=[\ufe00-\ufe0f])[\ufe00-\ufe0f]+/gu
const LONE_SURROGATES = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

const PLAIN = /^[\t\n\u0020-\u007e]*$/

export function cleanText(text: string): string {
  if (PLAIN.test(text)) return text
  let clean = pass(text)
  // Removing one thing can join two halves of another, so it ends only where nothing changes.
  for (let again = pass(clean); again !== clean; again = pass(clean)) clean = again
  return clean
}

const pass = (text: string): string =>
  keepFlags(
    text
      .replace(/\r\n?|\u0085|[\u2028\u2029]/gu, '\n')
      .replace(ANSI, '')
      .replace(CONTROLS, '')
      .replace(HIDDEN, '')
      .replace(LONE_SURROGATES, '\ufffd'),
  )
    .replace(SUPPLEMENTARY_SELECTORS, '')
    .replace(LONE_SELECTORS, '')
    .replace(LONE_JOINERS, '')
    .normalize('NFC')

/** Tag characters carry hidden text, except where they spell a subdivision flag (UTS #51 §1.4.9). */
function keepFlags(text: string): string {
  let out = ''
  let at = 0
  for (const match of text.matchAll(TAG_FLAG)) {
    out += text.slice(at, match.index).replace(TAGS, '') + match[0]
    at = match.index + match[0].length
  }
  return out + text.slice(at).replace(TAGS, '')
}

/** One short line: names, headers, snippets. @param maxChars characters kept. */
export const cleanLine = (text: string, maxChars = 500): string => cleanText(text).replace(/[\n\t]+/g, ' ').slice(0, maxChars)
