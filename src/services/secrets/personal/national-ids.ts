/**
 * National numbers that carry a check digit. All but a few are only looked for beside a label: as plain digits they are
 * too much like any other number.
 */

import { closesAt, numberClosesAt, numberOpensAt, opensAt } from '../edges.ts'
import { RANK } from '../rule.ts'
import type { Anchor, PersonalRule, Span } from '../rule.ts'
import { isLuhn, isMod1110, isVerhoeff, modulo, weighted } from './check-digits.ts'
import { BLANKS, DASHES, spaced } from './separators.ts'

interface Scheme {
  readonly labels: readonly string[]
  /** Sticky; separators included. */
  readonly shape: RegExp
  /** @param value without separators, in upper case. */
  check(value: string): boolean
}

const last = (value: string): number => Number(value.at(-1))
const range = (from: number, to: number): number[] => Array.from({ length: Math.abs(to - from) + 1 }, (_, index) => (from < to ? from + index : from - index))

const DNI_LETTERS = 'TRWAGMYFPDXBNJZSQVHLCKE'
const isDni = (value: string): boolean => {
  const digits = value.slice(0, -1).replace(/^[XYZ]/, (letter) => String('XYZ'.indexOf(letter)))
  return DNI_LETTERS[Number(digits) % 23] === value.at(-1)
}

const ODD = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23]
const isCodiceFiscale = (value: string): boolean => {
  const sum = [...value.slice(0, 15)].reduce((total, char, index) => {
    const place = /\d/.test(char) ? Number(char) : char.charCodeAt(0) - 65
    return total + (index % 2 === 0 ? (ODD[place] ?? 0) : place)
  }, 0)
  return String.fromCharCode(65 + (sum % 26)) === value.at(-1)
}

const isNir = (value: string): boolean => {
  const digits = value.replace(/2A/, '19').replace(/2B/, '18')
  return 97 - modulo(digits.slice(0, 13), 97) === Number(digits.slice(13))
}

const cpfDigit = (digits: string): number => {
  const rest = (weighted(digits, range(digits.length + 1, 2)) * 10) % 11
  return rest === 10 ? 0 : rest
}
const isCpf = (value: string): boolean =>
  new Set(value).size > 1 && cpfDigit(value.slice(0, 9)) === Number(value[9]) && cpfDigit(value.slice(0, 10)) === last(value)

const isNorwegian = (value: string): boolean =>
  weighted(value, [3, 7, 6, 1, 8, 9, 4, 5, 2, 1]) % 11 === 0 && weighted(value, [5, 4, 3, 2, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0

const isTurkish = (value: string): boolean => {
  const d = [...value].map(Number)
  const sum = (at: readonly number[]): number => at.reduce((total, index) => total + (d[index] ?? 0), 0)
  return value[0] !== '0' && (((sum([0, 2, 4, 6, 8]) * 7 - sum([1, 3, 5, 7])) % 10) + 10) % 10 === d[9] && sum(range(0, 9)) % 10 === d[10]
}

const isNhs = (value: string): boolean => new Set(value).size > 1 && (11 - (weighted(value, range(10, 2)) % 11)) % 11 === last(value)
const isBsn = (value: string): boolean => { const nine = value.padStart(9, '0'); return new Set(nine).size > 1 && (weighted(nine, range(9, 2)) - last(nine)) % 11 === 0 }
const isPps = (value: string): boolean => 'WABCDEFGHIJKLMNOPQRSTUV'[(weighted(value, range(8, 2)) + (value[8] ? (value.charCodeAt(8) - 64) * 9 : 0)) % 23] === value[7]
const isRut = (value: string): boolean => { const body = value.slice(0, -1).padStart(8, '0'); return '0123456789K0'[11 - (weighted(body, [3, 2, 7, 6, 5, 4, 3, 2]) % 11)] === value.at(-1) }
const isBelgian = (value: string): boolean => [value.slice(0, 9), `2${value.slice(0, 9)}`].some((body) => 97 - modulo(body, 97) === Number(value.slice(9)))
const isChinese = (value: string): boolean => '10X98765432'[weighted(value, [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]) % 11] === value.at(-1)
const isEan = (value: string): boolean => (10 - (weighted(value, [1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3]) % 10)) % 10 === last(value)
const isFinnish = (value: string): boolean => '0123456789ABCDEFHJKLMNPRSTUVWXY'[modulo(value.slice(0, 6) + value.slice(-4, -1), 31)] === value.at(-1)

const SCHEMES: readonly Scheme[] = [
  { labels: ['steuer-id', 'steuerid', 'steueridentifikation', 'steuerliche identifikationsnummer', 'identifikationsnummer', 'idnr', 'tax id'], shape: spaced('[1-9]\\d(?:~?\\d{3}){3}'), check: isMod1110 },
  { labels: ['sécurité sociale', 'securite sociale', 'secu', 'sécu', 'nir', 'insee'], shape: spaced('[12]~?\\d\\d~?\\d\\d~?(?:\\d\\d|2[AB])~?\\d{3}~?\\d{3}~?\\d\\d'), check: isNir },
  { labels: ['dni', 'nie', 'nif'], shape: spaced('(?:[XYZ]~?)?\\d{7,8}~?[A-Z]'), check: isDni },
  { labels: ['codice fiscale', 'codicefiscale', 'cod. fisc', 'c.f.'], shape: /[A-Z]{6}\d\d[A-EHLMPR-T]\d\d[A-Z]\d{3}[A-Z]/iy, check: isCodiceFiscale },
  { labels: ['bsn', 'burgerservicenummer', 'sofinummer'], shape: spaced('\\d{4}~?\\d{2}~?\\d{2,3}'), check: isBsn },
  { labels: ['pesel'], shape: /\d{11}/y, check: (value) => weighted(value, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1]) % 10 === 0 },
  { labels: ['cpf'], shape: spaced('\\d{3}~?\\d{3}~?\\d{3}~?\\d\\d'), check: isCpf },
  { labels: ['aadhaar', 'aadhar', 'uidai'], shape: spaced('[2-9]\\d{3}~?\\d{4}~?\\d{4}'), check: isVerhoeff },
  // Without a check digit, but with letters that no other number has.
  { labels: ['nino', 'national insurance', 'ni number', 'ni no', 'ni:'], shape: spaced('[A-Z]{2}~?\\d\\d~?\\d\\d~?\\d\\d~?[A-D]', 'i'), check: (value) => !/^(?:BG|GB|KN|NK|NT|TN|ZZ)/.test(value) },
  { labels: ['nhs'], shape: spaced('\\d{3}~?\\d{3}~?\\d{4}'), check: isNhs },
  { labels: ['personnummer', 'personnr', 'samordningsnummer'], shape: spaced('(?:\\d\\d)?\\d{6}(?:~|\\+)?\\d{4}'), check: (value) => isLuhn(value.slice(-10)) },
  { labels: ['fødselsnummer', 'fodselsnummer', 'fnr', 'd-nummer'], shape: spaced('\\d{6}~?\\d{5}'), check: isNorwegian },
  { labels: ['hetu', 'henkilötunnus', 'henkilotunnus'], shape: spaced(`\\d{6}[${DASHES}+A-FU-Y]\\d{3}[0-9A-Y]`), check: isFinnish },
  { labels: ['rijksregister', 'registre national', 'insz', 'niss'], shape: spaced('\\d\\d~?\\d\\d~?\\d\\d~?\\d{3}~?\\d\\d'), check: isBelgian },
  { labels: ['pps'], shape: /\d{7}[A-W][A-IW]?/y, check: isPps },
  { labels: ['ahv', 'avs', 'sozialversicherungsnummer'], shape: spaced('756~?\\d{4}~?\\d{4}~?\\d\\d'), check: isEan },
  { labels: ['cnp'], shape: /[1-8]\d{12}/y, check: (value) => { const rest = weighted(value, [2, 7, 9, 1, 4, 6, 3, 5, 8, 2, 7, 9]) % 11; return (rest === 10 ? 1 : rest) === last(value) } },
  { labels: ['egn'], shape: /\d{10}/y, check: (value) => (weighted(value, [2, 4, 8, 5, 10, 9, 7, 3, 6]) % 11) % 10 === last(value) },
  { labels: ['tc kimlik', 'tckn', 't.c. kimlik'], shape: /[1-9]\d{10}/y, check: isTurkish },
  { labels: ['social insurance', 'sin'], shape: spaced('\\d{3}~?\\d{3}~?\\d{3}'), check: isLuhn },
  { labels: ['tfn', 'tax file number'], shape: spaced('\\d{3}~?\\d{3}~?\\d{3}'), check: (value) => weighted(value, [1, 4, 3, 7, 5, 8, 6, 9, 10]) % 11 === 0 },
  { labels: ['south african id', 'sa id', 'id number'], shape: /\d{2}(?:0\d|1[0-2])[0-3]\d{5}[012]\d{2}/y, check: isLuhn },
  { labels: ['rut', 'rol único tributario'], shape: spaced('\\d{1,2}~?\\d{3}~?\\d{3}~?[\\dkK]'), check: isRut },
  { labels: ['身份证', 'resident id', 'id card'], shape: /[1-9]\d{5}(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{3}[\dXx]/y, check: isChinese },
]

/** Shapes so particular that, with their check digits, they need no label. */
const BARE: readonly Scheme[] = [
  { labels: [], shape: new RegExp(`\\d{3}\\.\\d{3}\\.\\d{3}[${DASHES}]\\d\\d`, 'y'), check: isCpf },
  { labels: [], shape: /756\.\d{4}\.\d{4}\.\d\d/y, check: isEan },
  { labels: [], shape: spaced('[12]~\\d\\d~(?:0[1-9]|1[0-2])~(?:\\d\\d|2[AB])~\\d{3}~\\d{3}~\\d\\d', '', `[${BLANKS}]`), check: isNir },
  { labels: [], shape: /[1-9]\d{5}(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{3}[\dX]/y, check: isChinese },
]
const FISCAL = SCHEMES.find(({ labels }) => labels.includes('codice fiscale'))

function take({ shape, check }: Scheme, text: string, at: number): Span | undefined {
  shape.lastIndex = at
  const shown = shape.exec(text)?.[0]
  if (shown === undefined || !closesAt(text, at + shown.length)) return undefined
  return check(shown.replace(/[^A-Za-z0-9]/g, '').toUpperCase()) ? { start: at, end: at + shown.length } : undefined
}

const LABEL_GAP = 28
const isWordChar = /[\p{L}\p{N}]/u

/** In a name such as `customerNhsNumber` a capital begins a word. */
const isHump = (text: string, at: number): boolean => /^[\p{Ll}\d]\p{Lu}$/u.test(text.slice(at - 1, at + 1))
const beginsWord = (text: string, at: number): boolean =>
  at === 0 || !isWordChar.test(text.charAt(at - 1)) || !/[a-z]/i.test(text.charAt(at)) || isHump(text, at)
// The word for a number, written together with the label as in much of Europe.
const NUMBER_WORD = /(?:(?:identification|identifikation)?s?(?:number|nummer|numero|número|num|nr|no|id))(?![a-z])/iy
function endsWord(text: string, at: number): boolean {
  if (!/^[a-z]/i.test(text.charAt(at)) || isHump(text, at)) return true
  NUMBER_WORD.lastIndex = at
  return NUMBER_WORD.test(text)
}

const labelled = (scheme: Scheme, label: string): Anchor => ({
  // The prefilter knows ASCII only: the part of the label that is.
  literal: /[ -~]{3,}/.exec(label)?.[0] ?? label,
  anyCase: true,
  find(text, at) {
    const offset = label.indexOf(/[ -~]{3,}/.exec(label)?.[0] ?? label)
    const start = at - offset
    if (start < 0 || text.slice(start, start + label.length).toLowerCase() !== label) return undefined
    if (!beginsWord(text, start) || !endsWord(text, start + label.length)) return undefined
    const from = start + label.length
    for (let i = from; i < from + LABEL_GAP && i < text.length; i += 1) {
      const code = text.charCodeAt(i)
      if (code === 10 || code === 13) return undefined
      if (i > from && opensAt(text, i)) {
        const found = take(scheme, text, i)
        if (found !== undefined) return found
      }
    }
    return undefined
  },
})

function findBare(text: string, at: number): Span | undefined {
  if (FISCAL !== undefined && at >= 6 && /^[A-Z]{6}$/.test(text.slice(at - 6, at)) && opensAt(text, at - 6)) {
    const found = take(FISCAL, text, at - 6)
    if (found !== undefined) return found
  }
  if (!numberOpensAt(text, at)) return undefined
  for (const scheme of BARE) {
    const found = take(scheme, text, at)
    if (found !== undefined && numberClosesAt(text, found.end)) return found
  }
  return undefined
}

export const NATIONAL_ID: PersonalRule = {
  type: 'NATIONAL_ID', kind: 'personal', rank: RANK.nationalId,
  anchors: SCHEMES.flatMap((scheme) => scheme.labels.filter((label) => /[ -~]{3,}/.test(label)).map((label) => labelled(scheme, label))),
  onNumber: findBare,
  yes: ['Aadhaar «2341 2341| 2346»', 'CPF «111.444|.777-35»', '«111.444|.777-35»', 'NINO «QQ 12 34| 56 C»', 'DNI «12345|678Z»', 'NIE: «X1234|567L»', 'BSN «111222|333»', 'PESEL «440514|01359»', 'codice fiscale «RSSMRA85|T10A562S»', '«RSSMRA85|T10A562S»',
    'numéro de sécurité sociale «1 85 05 78| 006 084 91»', 'Steuer-ID «86 095| 742 719»', 'NHS «943 476| 5919»', 'personnummer «811228|-9874»', 'AHV «756.9217|.0769.85»', 'SIN «046 454| 286»', 'HETU «131052|-308T»', 'RUT «12.345|.678-5»'],
  no: ['Aadhaar 2341 2341 2345', 'CPF 111.444.777-36', '234123412346', 'DNI 12345678A', 'BSN 111222334', 'order 86095742719', 'PESEL 44051401358'],
}
