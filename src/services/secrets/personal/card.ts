/** Payment card numbers (ISO/IEC 7812): issuer, length and check digit together, or a label and the check digit. */

import { before, numberClosesAt, numberOpensAt } from '../edges.ts'
import { RANK } from '../rule.ts'
import type { Anchor, PersonalRule, Span } from '../rule.ts'
import { isLuhn } from './check-digits.ts'
import { isGap, spaced } from './separators.ts'

// In the groups that are printed on cards, or in one piece.
const SHAPE = spaced('(?:\\d{12,19}|\\d{4}(~)\\d{4}\\1\\d{4}\\1\\d{4}(?:\\1\\d{2,3})?|\\d{4}(~)\\d{6}\\2\\d{4,5})(?!\\d)')

interface Issuer {
  readonly prefix: RegExp
  /** Lengths that its numbers have. */
  readonly lengths: string
  /**
   * Those that need no label in one piece. Thirteen digits are more often a time or the number of an article, and a
   * number of eighteen or nineteen is more often drawn at random, unless the prefix is one in a hundred or rarer.
   */
  readonly bare: string
}

const ISSUERS: readonly Issuer[] = [
  { prefix: /^4/, lengths: '13 16 19', bare: '16' }, // Visa, and Elo among its numbers
  { prefix: /^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, lengths: '16', bare: '16' }, // Mastercard
  { prefix: /^3[47]/, lengths: '15', bare: '15' }, // American Express
  { prefix: /^3(?:0[0-59]|[689])/, lengths: '14 15 16', bare: '14 15 16' }, // Diners Club
  { prefix: /^62/, lengths: '16 17 18 19', bare: '16 19' }, // UnionPay
  { prefix: /^(?:8[12]|6011|65|64[4-9]|35(?:2[89]|[3-8])|220[0-4]|9792)/, lengths: '16 17 18 19', bare: '16' }, // RuPay; Discover, Elo; JCB; Mir; Troy
  { prefix: /^(?:5018|5020|5038|506[01]|5893|6304|6759|676[1-3])/, lengths: '16 17 18 19', bare: '16 18 19' }, // Maestro and Verve, by the prefixes in use
  { prefix: /^(?:5[0678]|6304|67)/, lengths: '16 17 18 19', bare: '16' }, // the rest of Maestro, Dankort, Elo
  { prefix: /^(?:60|627780|63(?:6297|6368|7095|7568|7599|7609|7612))/, lengths: '16', bare: '16' }, // RuPay, Elo, Hipercard
]

const isIssued = (digits: string, isBare: boolean): boolean =>
  ISSUERS.some(({ prefix, lengths, bare }) => (isBare ? bare : lengths).includes(String(digits.length)) && prefix.test(digits))

const LABEL = /(?:card|\bpan\b|\bcc\b|ccn|credit|debit|visa|master|maestro|amex|american express|discover|diners|jcb|unionpay|rupay|verve|hipercard|karte|carte|tarjeta|carta)[^\d]{0,24}$/i

/** Whether the groups go up or down by the same step, as in a row of years or sizes. */
function isProgression(shown: string): boolean {
  const groups = shown.split(/\D+/).map(Number)
  const step = (groups[1] ?? 0) - (groups[0] ?? 0)
  return groups.length > 2 && step !== 0 && groups.every((group, index) => index === 0 || group - (groups[index - 1] ?? 0) === step)
}

function findCard(text: string, at: number): Span | undefined {
  SHAPE.lastIndex = at
  const match = SHAPE.exec(text)
  if (match === null) return undefined
  const [shown, one, other] = match
  const separator = one ?? other ?? ''
  const end = at + shown.length
  const digits = separator === '' ? shown : shown.replace(/\D/g, '')
  if (!isLuhn(digits) || new Set(digits).size < 2 || !numberOpensAt(text, at) || !numberClosesAt(text, end)) return undefined
  const isSure = !isGap(separator) && isIssued(digits, separator === '') && !(separator !== '' && isProgression(shown))
  return isSure || LABEL.test(before(text, at)) ? { start: at, end } : undefined
}

// The first track of a magnetic stripe (ISO/IEC 7813), in which a letter stands before the number.
const TRACK = /\d{12,19}(?=\^)/y
const onTrack = (literal: string): Anchor => ({
  literal,
  find(text, at) {
    TRACK.lastIndex = at + 2
    const digits = TRACK.exec(text)?.[0]
    return digits !== undefined && isLuhn(digits) ? { start: at + 2, end: TRACK.lastIndex } : undefined
  },
})

export const CARD: PersonalRule = {
  type: 'CARD', kind: 'personal', rank: RANK.card, onNumber: findCard,
  anchors: ['%B2', '%B3', '%B4', '%B5', '%B6', '%B8', '%B9'].map(onTrack),
  yes: ['card «41111111|11111111» ok', '«4111 1111| 1111 1111»', '«4111-1111|-1111-1111»', 'pay with «55555555|55554444».', '«22230031|22003222»', '«3782 8224|63 10005»', '«37828224|6310005»', 'JCB: «35301113|33300000»', '«30569309|025904»', '{"pan":"«42424242|42424242»"}', '«60111111|11111117»', 'visa «42222222|22222»', '«6200 0000| 0000 0005»'],
  no: ['1234567890123456', '4111111111111112', 'ts 1647725122227 done', 'id 47223179-9330-4259-b66c-f2db26efb20c', '3.141592653589793238', 'sha 4111aa1111bb1111cc11', '0000000000000000', 'v20240115.123456.7890', '10000000000000000000000'],
}
