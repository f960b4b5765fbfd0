/** International bank account numbers (ISO 13616-1): country, its length, and the check digits (ISO 7064, MOD 97-10). */

import { closesAt, opensAt } from '../edges.ts'
import { RANK } from '../rule.ts'
import type { PersonalRule, Span } from '../rule.ts'
import { isSeparator } from './separators.ts'

const LENGTHS = new Map(('AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 ES24 FI18 FK18 FO18 FR27 '
  + 'GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 '
  + 'NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30')
  .split(' ').map((row) => [row.slice(0, 2), Number(row.slice(2))] as const))

/** MOD 97-10 over letters as two digits, with the first four characters moved to the end. */
function isBalanced(iban: string): boolean {
  let rest = 0
  for (const char of iban.slice(4) + iban.slice(0, 4)) {
    const value = Number.parseInt(char, 36)
    rest = (value > 9 ? rest * 100 + value : rest * 10 + value) % 97
  }
  return rest === 1
}

/** The groups of a UUID before its last two (RFC 9562 §4), which now and then pass the check digits together. */
const UUID_HALF = /[\da-f]-[\da-f]{4}-[\da-f]{4}-$/i

function findIban(text: string, digit: number): Span | undefined {
  const start = digit - 2
  if (start < 0 || !/^[A-Za-z]{2}\d\d/.test(text.slice(start, start + 4)) || !opensAt(text, start) || UUID_HALF.test(text.slice(Math.max(0, start - 15), start))) return undefined
  const length = LENGTHS.get(text.slice(start, start + 2).toUpperCase())
  if (length === undefined) return undefined
  let [compact, end] = ['', start]
  while (compact.length < length) {
    const char = text.charAt(end)
    if (/^[A-Za-z0-9]$/.test(char)) compact += char
    else if (!isSeparator(char) || !/^[^A-Za-z0-9]?[A-Za-z0-9]/.test(text.slice(end + 1, end + 3))) return undefined
    end += 1
  }
  return closesAt(text, end) && isBalanced(compact.toUpperCase()) ? { start, end } : undefined
}

export const IBAN: PersonalRule = {
  type: 'IBAN', kind: 'personal', rank: RANK.iban, onNumber: findIban,
  yes: ['IBAN «GB82 WEST| 1234 5698 7654 32»', 'pay to «FR1420041010|050500013M02606» today', '«DE89370400|440532013000»', 'iban=«NL91ABNA|0417164300»;', '«NO93 8601| 1117 947»', '«CH93-0076|-2011-6238-5295-7»'],
  no: ['AB12 is a code', 'SKU GB2024WINTERJACKET01', 'GB82 WEST| 1234 5698 7654 33', 'US64SVBKUS6S3300958879', 'DE89370400|44053201300', 'id: 00000000-0000-1000-be18-77a7c83a6273'],
}
