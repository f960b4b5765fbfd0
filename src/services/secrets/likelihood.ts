/** Tells values that somebody made up at random from words, names, references and placeholders. */

// The letter pairs of which about nine tenths of English text consist.
const COMMON_PAIRS = ('a:bcdgilmnprstuy b:aelou c:aehiklortu d:adeios e:acdeflmnpqrstvwx f:aeioru g:eir h:aeiot i:abcdefglmnoprstv '
  + 'j:e k:e l:adeilostuy m:aeiop n:acdefgiostu o:bcdglmnoprstuvw p:aeiloprtu q:u r:acegikmnorstuy s:acehiopstu t:acehiorstuy '
  + 'u:beilmnprst v:aei w:ahio x:pt y:op').split(' ')
const isCommonPair = new Uint8Array(26 * 26)
for (const row of COMMON_PAIRS) for (const second of row.slice(2)) isCommonPair[(row.charCodeAt(0) - 97) * 26 + second.charCodeAt(0) - 97] = 1

const counts = new Uint32Array(256)

/** Shannon entropy of the characters, in bits a character. */
export function entropy(value: string): number {
  counts.fill(0)
  for (let i = 0; i < value.length; i += 1) {
    const slot = value.charCodeAt(i) & 255
    counts[slot] = (counts[slot] ?? 0) + 1
  }
  let bits = 0
  for (const count of counts) if (count > 0) bits -= (count / value.length) * Math.log2(count / value.length)
  return bits
}

const isLetter = (code: number): boolean => code >= 97 && code <= 122

/** Of the neighbouring letters, the part that is common in words; nothing if the value is not mostly letters. */
function commonness(value: string): number | undefined {
  const lower = value.toLowerCase()
  let [letters, pairs, common] = [0, 0, 0]
  for (let i = 0; i < lower.length; i += 1) {
    const [code, next] = [lower.charCodeAt(i), lower.charCodeAt(i + 1)]
    if (!isLetter(code)) continue
    letters += 1
    if (!isLetter(next)) continue
    pairs += 1
    common += isCommonPair[(code - 97) * 26 + next - 97] ?? 0
  }
  return letters >= value.length * 0.6 && pairs > 0 ? common / pairs : undefined
}

/** Whether the value reads as words: identifiers, titles, dotted paths. Digits scattered among letters speak against it. */
export const isWordy = (value: string): boolean =>
  (commonness(value) ?? 0) >= 0.68 && (value.match(/[A-Za-z]\d|\d[A-Za-z]/g)?.length ?? 0) <= 3

const SPLIT = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^A-Za-z0-9]+/g
const NAMES = /pass|pwd|key|tok|secret|auth|cred|conf|env|arg|opt|req|res|data|get|self|this/i

/** Whether a value with dots or brackets in it is no path and no call: changes of case and digits come thicker than in any name. */
export function isMadeUp(value: string): boolean {
  if (value.length < 8 || NAMES.test(value)) return false
  const parts = value.match(SPLIT)?.filter((part) => /[A-Za-z0-9]/.test(part)) ?? []
  return parts.length >= 5 && parts.join('').length / parts.length < 2.6
}

const FILLER = /example|sample|placeholder|change[-_ ]?(?:me|this|it)\b|changeme|dummy|redacted|replace[-_ ]|insert[-_ ]|(?:^|[-_ .])your?[-_ ]|^your|fixme|(.)\1{5}|\*{3}|\.{3}|…|•{2}/i
const TEMPLATE = /\$\{|#\{|\{\{|\}\}|<%|%>|\$\(|^\$[A-Za-z_][\w:]*$|^%[A-Za-z_]\w*%$|^%\(?\w*\)?[sdv]$|^<[^<>]*>$|^\{[^{}]*\}$|^\[[^[\]]*\]$|^@[\w.]+@$|^@[\w.]+\(|^__\w+__$/
const STOCK = /^(?:(?:my|the|a|an|some|new|old|test|demo|super|top|very|user|db|api|app|client|auth|access|admin|root|default)[-_ ]?){0,3}(?:pass(?:word|phrase|wd|code)?|pwd?|secret|token|key|credentials?|value|string|text|test(?:ing)?|foo(?:bar)?|bar|baz|qux|abc|user(?:name)?|admin|root|login|name|guest|none|null|nil|undefined|true|false|yes|no|empty|required|optional|hidden|masked|todo|tbd|here|demo|postgres|mysql|redis|mongo|rabbitmq|minio)(?:[-_ ]?(?:here|value|key|token|secret|goes|word|string|name|id)){0,2}[-_]?\d{0,4}[!?]?$/i

/** Whether the characters count up or repeat, as no generator would make them: `abcdef`, `12345678`, `xyxyxy`. */
export function isSequence(value: string): boolean {
  if (value.length < 6) return false
  let steps = 0
  let repeats = 0
  for (let i = 1; i < value.length; i += 1) {
    const step = value.charCodeAt(i) - value.charCodeAt(i - 1)
    if (step === 0 || step === 1 || step === -1 || (value[i - 1] === '9' && (value[i] === '0' || value[i] === 'a'))) steps += 1
    if (i >= 3 && (value[i] === value[i - 2] || value[i] === value[i - 3])) repeats += 1
  }
  return steps >= (value.length - 1) * 0.75 || repeats >= (value.length - 3) * 0.9
}

/** Whether it has fewer than three different characters. */
function isMonotonous(value: string): boolean {
  const first = value.charCodeAt(0)
  let second = first
  for (let i = 1; i < value.length; i += 1) {
    const code = value.charCodeAt(i)
    if (second === first) second = code
    else if (code !== first && code !== second) return false
  }
  return true
}

/** Whether the value only stands for one: a mask, a template variable, a word from a manual, a counting row. */
export const isPlaceholder = (value: string): boolean =>
  isMonotonous(value) || TEMPLATE.test(value) || FILLER.test(value) || STOCK.test(value) || isSequence(value)

/** Whether the part of a token that its issuer draws at random looks drawn at random. */
export function isDrawn(body: string): boolean {
  if (body.length < 12) return !isPlaceholder(body)
  const wanted = body.length < 20 ? 2.2 : 2.7
  return entropy(body) >= wanted && !FILLER.test(body) && !TEMPLATE.test(body) && !isSequence(body)
    && !((commonness(body) ?? 0) >= 0.8 && (body.match(/\d/g)?.length ?? 0) <= 2)
}
