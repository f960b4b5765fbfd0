/**
 * Values that stand beside a name which says that they are secret, in the notations of code, settings, JSON, XML,
 * query strings and command lines. The last words of the name decide, and the value has to look made up.
 */

import { isAlnum } from '../edges.ts'
import { entropy, isMadeUp, isPlaceholder, isWordy } from '../likelihood.ts'
import { RANK } from '../rule.ts'
import { hasOperator, operatorEnd } from './assignment-operators.ts'
import type { SecretRule, Span } from '../rule.ts'

const MAX_NAME = 80

const isNameChar = (code: number): boolean => isAlnum(code) || code === 95 || code === 45 || code === 46 || code === 36

// Words after the telling one that change nothing.
const TRAILING = new Set(['value', 'val', 'str', 'string', 'text', 'plain', 'raw', 'base64', 'b64', 'hex', 'encoded', 'prod', 'production', 'dev', 'staging', 'test', 'live', 'old', 'new', 'current', 'main', 'default', 'base'])
const PASSWORD = /(?:pass(?:word|wd|phrase|code|wort)|kennwort|pwd)s?$/
const TOKEN = /(?:secret|token|credential)s?$/
const KEY = /(?:api|access|secret|private|auth|encryption|encrypt|signing|sign|signature|master|shared|storage|account|session|service|app|application|client|consumer|webhook|license|hmac|jwt|aes|crypto|cipher|symmetric|admin|root|sas|subscription|functions?|integration|routing|write|ingest|ingestion|deploy|sealed?|cookie|rsa|vault|unseal|recovery|wallet)keys?$/
// Before the telling word these make it a position, a count, a mark of the language, or something public.
const HARMLESS = new Set('next prev previous page continuation sync cancel cancellation max min num total count input output prompt completion special eos bos pad unk mask stop start end first last public pub publishable design delimiter separator per invalid no bad unknown expected unexpected peek punctuator syntax'.split(' '))

type Kind = 'password' | 'token'

function words(name: string): string[] {
  const found = name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g)?.map((word) => word.toLowerCase()) ?? []
  while (found.length > 1 && (TRAILING.has(found.at(-1) ?? '') || /^\d/.test(found.at(-1) ?? ''))) found.pop()
  return found
}

/** What the name says about its value. */
function kindOf(name: string): Kind | undefined {
  const all = words(name)
  const joined = all.slice(-3).join('')
  if (PASSWORD.test(joined)) return 'password'
  const last = all.at(-1)
  if (last === 'pass' || last === 'pw' || (last === 'auth' && name.startsWith('_'))) return 'password'
  return (TOKEN.test(joined) || KEY.test(joined)) && !HARMLESS.has(all.at(-2) ?? '') ? 'token' : undefined
}

const OPEN = /(?:[bfru@]{0,2}|new [A-Z]\w{0,30}\(|\(|\[)?(\\{0,3})(["'`]{1,3})/y
const BARE = /(?:[^\s"'`,;&<>(){}[\]|\\]|[,;&](?=[^\s"'`,;&<>(){}[\]|\\])(?![\w .-]{1,40}[=:])){1,128}/y
const MAX_QUOTED = 4_096
/** So much of a value is judged. */
const JUDGED = 128

interface Value extends Span {
  /** In quotes, or by its place in a settings file a text all the same: it is no name of something else in code. */
  readonly quoted: boolean
}

function quotedValue(text: string, from: number): Value | undefined {
  OPEN.lastIndex = from
  const [, slashes = '', quote = ''] = OPEN.exec(text) ?? []
  if (quote === '') return undefined
  const start = OPEN.lastIndex
  if (quote.length === 2) return { start, end: start, quoted: true }
  const close = slashes + quote
  const first = close.charCodeAt(0)
  const limit = Math.min(text.length, start + MAX_QUOTED)
  for (let i = start; i < limit; i += 1) {
    const code = text.charCodeAt(i)
    if (code === first && text.startsWith(close, i)) return { start, end: i, quoted: true }
    if (code === 10 || code === 13) break
    if (code === 92 && slashes === '') i += 1
  }
  return bareValue(text, start)
}

function bareValue(text: string, from: number): Value | undefined {
  BARE.lastIndex = from
  if (!BARE.test(text)) return undefined
  let end = BARE.lastIndex
  while (end > from && /[.,;:]/.test(text.charAt(end - 1))) end -= 1
  return { start: from, end, quoted: false }
}

const REFERENCE = /^(?:0x[\da-fA-F]+$|[a-z][a-z0-9+.-]{1,20}:\/\/|[A-Za-z]:\\|arn:|sha(?:1|224|256|384|512)[-:]|md5[-:]|vault:|op:|ref\+|projects\/|ssh-(?:rsa|ed25519|dss)|ecdsa-|pk[_.]|file:|env[:.]|ENC\[|AQICAH|\*\.)/
// An anchor, an alias, a tag (YAML 1.2 §6.9), an address, or a negation; in quotes they are characters like others.
const MARKED = /^[!&*]/
const PATH = /^[A-Za-z_$][\w$]{0,40}(?:(?:\?\.|\.|::|->)[A-Za-z_$][\w$]{0,40})+$/
const CODE_NAME = /^(?:[a-z]+[A-Z][A-Za-z]*\d{0,2}|[A-Z][A-Z]+(?:_[A-Z0-9]+)+|[a-z]+(?:_[a-z0-9]+)+|[A-Za-z]+\d{1,2})$/
const isCodeName = (value: string): boolean => CODE_NAME.test(value) && isWordy(value)

const TYPE_NAME = /^[A-Z]?[a-z]{2,}(?:[A-Z][a-z]{3,})*$/

function isPassword(value: string, { quoted }: Value): boolean {
  if (value.length < 6 || value.length > 256 || /\s/.test(value)) return false
  if (/pass|pwd/i.test(value) && isWordy(value)) return false
  const [hasLetter, hasDigit, hasMark] = [/[A-Za-z]/.test(value), /\d/.test(value), /[^\p{L}0-9_.:/-]/u.test(value)]
  if (!hasLetter) return quoted && value.length >= 6 && (hasMark || !/^[\d.:/-]+$/.test(value) || /^\d{6,12}$/.test(value))
  if (!hasDigit && !hasMark) return !isWordy(value) && entropy(value) >= 2.5 && (quoted || !TYPE_NAME.test(value))
  return quoted || !isCodeName(value)
}

function isToken(value: string, { quoted }: Value): boolean {
  if (value.length < 8 || /\s/.test(value) || /^[\d.,:+/-]+$/.test(value) || isWordy(value)) return false
  if (!quoted && isCodeName(value)) return false
  if (value.length < 16) return /\d/.test(value) && /[A-Za-z]/.test(value) && entropy(value) >= 2.5
  return entropy(value) >= (/^[\da-f-]+$/i.test(value) ? 2.6 : 3)
}

/** Where the name ends in which the anchor stands, if the anchor is the first of its kind there. */
function nameAround(text: string, at: number): Span {
  let [start, end] = [at, at]
  while (at - start < MAX_NAME && isNameChar(text.charCodeAt(start - 1))) start -= 1
  while (end - at < MAX_NAME && isNameChar(text.charCodeAt(end))) end += 1
  return { start, end }
}

const RESOURCE = /(?<!\w)arn:[a-z-]{1,20}:[a-z0-9-]{1,40}:[a-z0-9-]{0,30}:\d{0,12}:$/
const SETTER = /(?:^|[.:$>])(?:set|with)_?[A-Z_a-z]/
const WORDS_BEFORE = /(?:[A-Za-z]{2,12} ){1,2}$/

/** What stands before `key` in `Secret access key: …`: the word alone says nothing. */
const wordsBefore = (text: string, { start, end }: Span): string =>
  /^keys?$/i.test(text.slice(start, end)) ? (WORDS_BEFORE.exec(text.slice(Math.max(0, start - 26), start))?.[0] ?? '').replaceAll(' ', '_') : ''

const UNBROKEN = /[^\s"'`\\]{8,128}/y
// Code without blanks: functions, calls, blocks, more assignments.
const DENSE_CODE = /=>|\(\)|\)[{.;,)]|[)\]}>]$|[;&,][\w.-]{1,40}=/

/** In a settings file a value goes on to the blank, whatever brackets are in it; in code it would be a call or an element. */
function unbrokenValue(text: string, from: number): Value | undefined {
  UNBROKEN.lastIndex = from
  const whole = UNBROKEN.exec(text)?.[0].replace(/[.,;:]+$/, '')
  if (whole === undefined || !/[()[\]{}<>|&]/.test(whole) || DENSE_CODE.test(whole)) return undefined
  return isMadeUp(whole) ? { start: from, end: from + whole.length, quoted: true } : undefined
}

/** A name alone before the value, as after `--token` or in `ENV NAME value`. */
const takesBlank = (text: string, { start, end }: Span, kind: Kind): boolean =>
  text.startsWith('--', start) || text.startsWith('_auth', start) || (kind === 'password' && /^(?:pass(?:word|phrase|wd))$/i.test(text.slice(start, end)))
  || /^[A-Z][A-Z0-9_]*$/.test(text.slice(start, end)) && /(?:ENV|ARG|setx?(?: -[a-zA-Z]{1,4})?|export|define)[ \t('"]{1,4}$/.test(text.slice(Math.max(0, start - 16), start))

/** A value that was too long to be read in one go goes on. */
function wholeOf(text: string, { start, end, quoted }: Value): number {
  if (quoted || end - start < JUDGED) return end
  for (let more = bareValue(text, end); more !== undefined && more.end > end; more = bareValue(text, end)) end = more.end
  return end
}

function findAssignment(text: string, at: number): Span | undefined {
  const name = nameAround(text, at)
  // The end of a path is no name, nor is the kind of an Amazon resource.
  if (!hasOperator(text, name) || text[name.start - 1] === '/' || text[name.start - 1] === '\\') return undefined
  if (text[name.start - 1] === ':' && RESOURCE.test(text.slice(Math.max(0, name.start - MAX_NAME), name.start))) return undefined
  const from = operatorEnd(text, name.end)
  if (from === undefined) return undefined
  const written = text.slice(name.start, name.end)
  const kind = kindOf(written) ?? kindOf(wordsBefore(text, name) + written)
  if (kind === undefined) return undefined
  const operator = text.slice(name.end, from).trim()
  if (operator === '' && !takesBlank(text, name, kind)) return undefined
  if (operator === ',') return undefined
  if (operator === '(' && !SETTER.test(written)) return undefined
  const isSet = text.slice(name.end, from) === '='
  const value = quotedValue(text, from) ?? (isSet ? unbrokenValue(text, from) : undefined) ?? bareValue(text, from)
  if (value === undefined) return undefined
  const raw = text.slice(value.start, Math.min(value.end, value.start + JUDGED))
  if (/^[.~]{0,2}\//.test(raw) && isWordy(raw)) return undefined
  if (isPlaceholder(raw) || REFERENCE.test(raw) || raw.includes('[REDACTED:')) return undefined
  if (!value.quoted && MARKED.test(raw) && !isMadeUp(raw)) return undefined
  if (!value.quoted && (text[value.end] === '(' || text[value.end] === '[' || (PATH.test(raw.replace(/[?!]+$/, '')) && !isMadeUp(raw)))) return undefined
  // In a list the next entry need not belong to this one.
  if (operator.endsWith(',') && ((!/\d/.test(raw) && raw.length < 12) || /s$/i.test(written))) return undefined
  const isSetting = isSet && /^[\s&]?$/.test(text.charAt(value.end))
  const told = isSetting ? { ...value, quoted: true } : value
  return (kind === 'password' ? isPassword : isToken)(raw, told) ? { start: value.start, end: wholeOf(text, value) } : undefined
}

export const ASSIGNMENT: SecretRule = {
  type: 'SECRET', kind: 'secret', rank: RANK.assignment,
  anchors: ['pass', 'pwd', 'secret', 'token', 'key', 'credential', '_auth', '_pw', 'pw=', 'pw:', 'kennwort'].map((literal) => ({ literal, anyCase: true, find: findAssignment })),
  yes: ['aws_secret_access_key = «{base40}»', 'DB_PASSWORD=«{an7}^{an7}»', '  password: "«{an18}»"', '{"client_secret":"«{an32}»","x":1}', "const apiKey = '«{hex32}»';", 'api-key: «{an30}»', "passwd => '«{an16}»',",
    'Password=«{an16}»;Server=db.example;', 'export TOKEN=«{hex40}» # ci', 'X-Api-Key: «{an32}»\r\n', 'const token: string = "«{an24}»"', 'curl https://x.example/?access_token=«{an24}»&page=2', '<password>«{an14}»</password>',
    '{\\"api_key\\":\\"«{an30}»\\"}', '//registry.example/:_authToken=«{uuid}»', "define('DB_PASSWORD', '«{an14}»');", '--client-secret «{an30}» --x', 'spring.datasource.password=«{an14}»', 'AccountKey=«{base86}==»;EndpointSuffix=x', 'ENV API_TOKEN «{an30}»', 'DB_PASSWORD=«hunter|22»', 'password: «Summer|2024»', "CREATE USER app WITH PASSWORD '«{an12}»';",
    'DB_PASSWORD=«kAb3d.mQ9vL7»', 'password: «Xk9v.Lm3Qz8t»', 'VAULT_TOKEN=«s.{an12}7{an11}»', 'DB_PASSWORD=«PFJFd4(FVcyoA4»', 'DB_PASSWORD=«[Lzwp0d7RX4Tb»', 'password: "«!Kd82{an8}»"', 'Pwd=«!f-v4eU%WqaFl»;', 'password: "«&{an6}7{an6}»"', 'password: "«*{an6}7{an6}»"',
    'var apiKey string = "«{an32}»"', 'let secret_key: &str = "«{an32}»";', "static API_KEY: &'static str = \"«{an32}»\";", 'val apiToken: String? = "«{an32}»"', 'token?: string = "«{an24}»"', 'char password[] = "«{an12}7»";', 'char password[32] = "«{an12}7»";',
    'config.setPassword("«{an12}7»");', 'client.setApiKey("«{an32}»")', "process.env.API_KEY ?? '«{an32}»'", '${DB_PASSWORD:-«{an12}7»}', 'API key: «{an32}»', 'Secret Access Key: «{base40}»', 'My API key is «{an32}»',
    '**Password:** «{an12}7»', '**Password**: «{an12}7»', '{"name":"DB_PASSWORD","value":"«{an16}7»"}', '{\n  "name": "DB_PASSWORD",\n  "value": "«{an16}7»"\n}', '- name: DB_PASSWORD\n  value: «{an16}7»\n', '<add key="ApiKey" value="«{an32}»" />', 'secret_key_base: «{hex128}»',
    'passwords = ["«{an12}7»"]', 'api_keys: "«{an32}»"', '{\n  "password":\n    "«{an12}7»"\n}', 'password              = "«{an12}7»"', 'set -x API_TOKEN «{an32}»',
    'data:\n  password: «{an22}7=»\n', 'token: «{an27}7=»', 'variable "db_password" {\n  type    = string\n  default = "«{an12}7»"\n}', '<key>apiKey</key>\n<string>«{an32}»</string>', '<wsse:Password Type="x">«{an12}7»</wsse:Password>', '<secret><![CDATA[«{an32}»]]></secret>',
    'npm config set //registry.example/:_authToken «{an36}»', 'Passwort: «{an12}7»', 'Kennwort: «{an12}7»', 'PW=«{an12}7»'],
  no: ['token = "<YOUR_TOKEN_HERE>"', 'apiKey: process.env.API_KEY,', 'password: ""', 'secretKeyRef:\n  name: db\n  key: password', 'label: "Enter your password"', 'primary_key: customer_account_identifier', 'passwordResetEmailTemplateName: "welcome-back"',
    'token: NEXT_TOKEN_TYPE_IDENTIFIER', 'if (secret === undefined) throw new Error("secret missing")', 'author: Jane Roe', 'keyboard: "qwertyuiop"', 'csrf_token_field_name: "authenticity_token"', 'password: ${DB_PASSWORD}', 'password={{ vault_password }}', 'password: changeme',
    'const token = await fetchToken(client2)', 'password: string, token: Uint8Array', 'max_tokens: 4096', 'nextToken: "{an32}"', 'public_key = "{an40}"', 'token = tokens[index1]', 'api_key: your-api-key', 'secret: /run/secrets/db', 'token: sha256:{hex64}', 'const secret = createHmac2("x")', 'password = user.password2', 'password: ********', 'cacheKey: "{hex32}"',
    'password: this.config.password', 'password = config.db2.credentials.value', 'token = req2.session.user1.tok', 'apiKey = getKey()', 'token: string', 'DB_PASSWORD=$(cat pw2.txt)', 'API_KEY=os.getenv("API_KEY")', 'makeOnePass=p=>{if(p.inst.length>=1e3)return}', 'password: &password', 'password: *default_password2', 'password: !secret wifi_password2',
    'key = &config.apiKey2', 'if (token === !isToken2) {}', 'paths: ["*.*.password", "*.*.*.password"]', 'var password string', 'let secret: &str = "placeholder";', 'char password[64];', 'apiKey?: string', 'config.setPassword("password")', 'form.setPassword(event.target.value2)', 'password.equals("other-Text2")',
    'process.env.API_KEY ?? "development"', '${DB_PASSWORD:-changeme}', 'API key: see the settings page', 'key: "{an32}"', 'Primary key: customer_account_identifier2', '**Password:** at least twelve characters', '{"name":"DB_PASSWORD","value":"${DB_PASSWORD}"}', '- name: DB_PASSWORD\n  valueFrom:\n    secretKeyRef:\n      name: db\n',
    '{"name":"password","value":"string"}', '<add key="ApiKey" value="" />', 'tokens = ["hello", "world"]', 'secrets: inherit', '"tokens", "symbol2label"', 'db_password: "@Microsoft.KeyVault(SecretUri=https://vault.example/secrets/db2)"', 'password: "#{ENV[\'PW2\']}"',
    'secret_arn = "arn:aws:secretsmanager:us-east-1:123456789012:secret:prod/db-{an6}"', 'variable "db_password" {\n  type = string\n  default = ""\n}', '<key>Password</key>\n<string>password</string>', 'npm config set //registry.example/:_authToken ${NPM_TOKEN}', 'Passwort: mindestens 8 Zeichen', 'pw: string', 'const token: string =\n  await next2()', 'password: Base64String =\n  next2', 'Passwort: ungültig'],
}
