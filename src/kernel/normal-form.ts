/** Unicode's normal forms C and KC, in time that grows with the text and not with its square. */

/** Nothing below U+0300 is a mark or has another form. */
const MAY_HAVE_FORMS = /[\u0300-\uffff]/
/** Marks that one character may bear: what the Stream-Safe Text Format allows (UAX #15 §13). */
const MAX_MARKS = 30
/** A joiner between two marks ends no run: both stand on the same character. */
const MARKS = new RegExp(`([\\p{M}\\u200c\\u200d]{${MAX_MARKS}})[\\p{M}\\u200c\\u200d]+`, 'gu')
const MAY_BE_MARK = /[\p{M}\p{Cs}\u200c\u200d]/u

/**
 * Text in normal form C (UAX #15). Of more than 30 combining marks in a row the first 30 stay: no writing needs more,
 * and putting a long run into order takes time that grows with the square of its length. Idempotent.
 */
export function composed(text: string): string {
  if (!MAY_HAVE_FORMS.test(text)) return text
  // A mark can decompose into two, so runs are measured again where that was.
  return withoutExcess(withoutExcess(text).normalize('NFC'))
}

/** Marks, and the two letters that the compatible forms make marks of. */
const COMPATIBLE_MARKS = new RegExp(`([\\p{M}\\uff9e\\uff9f]{${MAX_MARKS}})[\\p{M}\\uff9e\\uff9f]+`, 'gu')
const ASCII = /^[\0-\x7f]*$/

/** Text in normal form KC, bounded in the same way: for texts that are compared and not shown. */
export const compatible = (text: string): string => (ASCII.test(text) ? text : text.replace(COMPATIBLE_MARKS, '$1').normalize('NFKC'))

const withoutExcess = (text: string): string => (mayExceed(text) ? text.replace(MARKS, '$1') : text)

/** A run that is too long stands on one of these places. */
function mayExceed(text: string): boolean {
  for (let at = MAX_MARKS; at < text.length; at += MAX_MARKS + 1) {
    if (text.charCodeAt(at) >= 0x300 && MAY_BE_MARK.test(text.charAt(at))) return true
  }
  return false
}
