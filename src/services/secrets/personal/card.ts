/** Payment card numbers (ISO/IEC 7812): issuer, length and check digit together, or a label and the check digit. */

import { before, numberClosesAt, numberOpensAt } from '../edges.ts'
import { RANK } from '../rule.ts'
import type { PersonalRule, Span } from '../rule.ts'
import { isLuhn } from './check-digits.ts'

// In the groups that are printed on cards, or in one piece.
const SHAPE = /(?:\d{12,19}|\d{4}([ \u00a0.-])\d{4}\1\d{4}\1\d{4}(?:\1\d{3})?|\d{4}([ \u00a0.-])\d{6}\2\d{4,5})(?!\d)/y
const ISSUER = /^(?:4\d{15}(?:\d{3})?|5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}|3[47]\d{13}|3(?:0[0-59]|[689]\d)\d{11,13}|(?:6011|65\d\d|64[4-9]\d|62\d\d|8[12]\d\d|35(?:2[89]|[3-8]\d)|220[0-4]|9792|5(?:0[0-9]|6|7|8)\d\d|6(?:304|7\d\d))\d{12,15})$/
// One piece of thirteen, eighteen or nineteen digits is more often the number of something else.
const SURE = /^\d{14,16}$/
const LABEL = /(?:card|\bpan\b|\bcc\b|ccn|credit|debit|visa|master|maestro|amex|american express|discover|diners|jcb|unionpay|karte|carte|tarjeta|carta)[^\d]{0,24}$/i

function findCard(text: string, at: number): Span | undefined {
  SHAPE.lastIndex = at
  if (!SHAPE.test(text)) return undefined
  const end = SHAPE.lastIndex
  const shown = text.slice(at, end)
  const digits = shown.replace(/\D/g, '')
  if (new Set(digits).size < 2 || !isLuhn(digits) || !numberOpensAt(text, at) || !numberClosesAt(text, end)) return undefined
  const isIssued = ISSUER.test(digits) && (SURE.test(digits) || shown.length > digits.length)
  return isIssued || LABEL.test(before(text, at)) ? { start: at, end } : undefined
}

export const CARD: PersonalRule = {
  type: 'CARD', kind: 'personal', rank: RANK.card, onNumber: findCard,
  yes: ['card «41111111|11111111» ok', '«4111 1111| 1111 1111»', '«4111-1111|-1111-1111»', 'pay with «55555555|55554444».', '«22230031|22003222»', '«3782 8224|63 10005»', '«37828224|6310005»', 'JCB: «35301113|33300000»', '«30569309|025904»', '{"pan":"«42424242|42424242»"}', '«60111111|11111117»', 'visa «42222222|22222»', '«6200 0000| 0000 0005»'],
  no: ['1234567890123456', '4111111111111112', 'ts 1647725122227 done', 'id 47223179-9330-4259-b66c-f2db26efb20c', '3.141592653589793238', 'sha 4111aa1111bb1111cc11', '0000000000000000', 'v20240115.123456.7890', '10000000000000000000000'],
}
