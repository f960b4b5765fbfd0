/** Credentials in HTTP header fields (RFC 9110 §11.6.2, RFC 6750 §2.1, RFC 6265 §4) and on command lines. */

import { opensAt } from '../edges.ts'
import { entropy, isPlaceholder, isWordy } from '../likelihood.ts'
import { RANK } from '../rule.ts'
import type { Anchor, SecretRule, Span } from '../rule.ts'

/** Between a field's name and the sign before its value where fields are a list of names and values, as in recordings of requests. */
const ENTRY = String.raw`(?:\\{0,3}["'],[ \t]{0,4}(?:\r?\n[ \t]{0,40})?\\{0,3}["']value)?`
const AUTHORIZATION = new RegExp(`authorization${ENTRY}${String.raw`\\{0,3}["'\x60]?\]?[ \t]{0,4}[:=,][ \t]{0,4}\\{0,3}["'\x60]?[ \t]{0,4}(?:(bearer|basic|token|digest|negotiate|apikey|api-key|key|dpop|splunk|bot|ssws|oauth)[ \t]{1,4})?([A-Za-z0-9._~+/-]{6,16384}={0,2})`}`, 'iy')
const PARAMETER = /^[ \t]{1,4}[A-Za-z][\w-]{1,32}=/
const BARE_BEARER = /bearer[ \t]{1,4}([A-Za-z0-9._~+/-]{16,8192}={0,2})/iy
const BARE_BASIC = /basic[ \t]{1,4}([A-Za-z0-9+/]{12,1024}={0,2})/iy

/** The password of base64 user information, if it is that. */
function basicPassword(value: string): string | undefined {
  const plain = Buffer.from(value, 'base64').toString('latin1')
  return /^[\x20-\x7e\xa0-\xff]{1,128}:[\x20-\x7e\xa0-\xff]+$/.test(plain) ? plain.slice(plain.indexOf(':') + 1) : undefined
}

const isToken = (value: string): boolean => !isPlaceholder(value) && !isWordy(value) && entropy(value) >= 2.2

const last = (pattern: RegExp, value: string): Span => ({ start: pattern.lastIndex - value.length, end: pattern.lastIndex })

function findAuthorization(text: string, at: number): Span | undefined {
  AUTHORIZATION.lastIndex = at
  const [, scheme = '', raw] = AUTHORIZATION.exec(text) ?? []
  if (raw === undefined) return undefined
  const tail = /\.+$/.exec(raw)?.[0].length ?? 0
  const value = raw.slice(0, raw.length - tail)
  const span = { start: AUTHORIZATION.lastIndex - raw.length, end: AUTHORIZATION.lastIndex - tail }
  if (scheme.toLowerCase() === 'basic') {
    const password = basicPassword(value)
    return password === undefined ? (value.length >= 12 && isToken(value) ? span : undefined) : isPlaceholder(password) ? undefined : span
  }
  // What parameters follow (RFC 9110 §11.4) is the name of a scheme.
  if (scheme === '' && PARAMETER.test(text.slice(span.end, span.end + 48))) return undefined
  // Without a scheme it may be anything, such as the name of a policy or a header of another field.
  const isLong = scheme !== '' || value.length >= 16
  return isLong && isToken(value) && !/^[\w.]*\($/.test(text.slice(span.start, span.end + 1)) ? span : undefined
}

function findBearer(text: string, at: number): Span | undefined {
  BARE_BEARER.lastIndex = at
  const value = opensAt(text, at) ? BARE_BEARER.exec(text)?.[1] : undefined
  return value !== undefined && isToken(value) && entropy(value) >= 3 ? last(BARE_BEARER, value) : undefined
}

function findBasic(text: string, at: number): Span | undefined {
  BARE_BASIC.lastIndex = at
  const value = opensAt(text, at) ? BARE_BASIC.exec(text)?.[1] : undefined
  const password = value === undefined ? undefined : basicPassword(value)
  return value === undefined || password === undefined || isPlaceholder(password) ? undefined : last(BARE_BASIC, value)
}

/** A value ends where another field begins: texts that repeat the field would be judged over and over, each time to their end. */
const COOKIE_VALUE = String.raw`(?:[^;\s"'\x60c]|(?!cookie\\{0,3}["'\x60]?[ \t]{0,4}[:=])c){16,4096}`
const COOKIE = new RegExp(String.raw`cookie${ENTRY}\\{0,3}["'\x60]?[ \t]{0,4}[:=][ \t]{0,4}\\{0,3}["'\x60]?(?:[^=;\s"'\x60]{1,64}=[^;\s"'\x60]{0,256};[ \t]?){0,6}?[^=;\s"'\x60]{0,40}(?:sess|sid|auth|token|jwt|csrf|remember)[^=;\s"'\x60]{0,24}=(${COOKIE_VALUE})`, 'iy')

function findCookie(text: string, at: number): Span | undefined {
  COOKIE.lastIndex = at
  const value = COOKIE.exec(text)?.[1]
  return value !== undefined && isToken(value) && entropy(value) >= 3 ? last(COOKIE, value) : undefined
}

/** Up to the option, which may be the first. */
const ARGUMENTS = String.raw`[ \t]{1,8}(?:[^\r\n|;]{0,300}?[ \t])?`
const WORD = String.raw`["']?([^\s"']{4,128})`
/** Where a command, or a file of settings that reads like one, has its password: what it begins with, and what stands before the value. */
const COMMANDS: readonly (readonly [literals: readonly string[], pattern: string])[] = [
  [['curl ', 'curl\t'], String.raw`curl${ARGUMENTS}(?:-u|--user|--proxy-user|-U)[ =]{0,2}["']?[^\s:"']{1,64}:([^\s"']{3,128})`],
  [['sshpass'], String.raw`sshpass[ \t]{1,4}-p[ =]?${WORD}`],
  [['mysql', 'mariadb'], String.raw`(?:mysql|mariadb)(?:dump|admin|import|show|check|-dump|-admin)?${ARGUMENTS}-p["']?([^\s"']{6,128})`],
  [['redis-cli'], String.raw`redis-cli${ARGUMENTS}(?:-a|--pass)[ =]["']?([^\s"']{6,128})`],
  [['docker', 'podman', 'helm', 'oras', 'crane', 'az login', 'az acr', 'oc login'],
    String.raw`(?:docker|podman|helm|oras|crane|az|oc)[ \t](?:registry |acr |auth )?login${ARGUMENTS}(?:-p|--password)[ =]["']?([^\s"']{6,256})`],
  [['machine'], String.raw`machine[ \t]{1,4}[^\s]{1,253}\s{1,8}login[ \t]{1,4}[^\s]{1,128}\s{1,8}password[ \t]{1,4}([^\s]{4,256})`],
  [['sqlcmd', 'bcp '], `(?:sqlcmd|bcp)${ARGUMENTS}-P[ ]?${WORD}`],
  [['ldapsearch', 'ldapmodify', 'ldapadd', 'ldapdelete', 'ldapwhoami', 'ldappasswd'], `ldap(?:search|modify|add|delete|whoami|passwd)${ARGUMENTS}-[ws][ ]?${WORD}`],
  [['smbclient', 'rpcclient'], String.raw`(?:smb|rpc)client${ARGUMENTS}(?:-U|--user)[ =]{0,2}["']?[^\s%"']{1,64}%([^\s"']{4,128})`],
  [['htpasswd'], String.raw`htpasswd[ \t]{1,4}-[a-zA-Z]{0,6}b[a-zA-Z]{0,6}(?:[ \t]{1,4}-[a-zA-Z0-9]{1,6}){0,3}(?:[ \t]{1,4}[^\s-][^\s]{0,200})?[ \t]{1,4}[^\s-][^\s]{0,64}[ \t]{1,4}${WORD}`],
  [['keytool', 'jarsigner'], String.raw`(?:keytool|jarsigner)${ARGUMENTS}-(?:src|dest)?(?:store|key)pass[ \t]{1,4}${WORD}`],
  [['aws configure'], String.raw`aws configure set (?:[\w.-]{1,64}\.)?aws_(?:secret_access_key|session_token)[ \t]{1,4}["']?([^\s"']{16,2048})`],
  [['requirepass', 'masterauth', 'bindpw'], String.raw`(?:requirepass|masterauth|bindpw)[ \t]{1,8}${WORD}`],
  [['mongo'], String.raw`mongo(?:sh|dump|restore|export|import)?${ARGUMENTS}-p[ ]?["']?([^\s"']{6,128})`],
  [['ConvertTo-SecureString'], String.raw`ConvertTo-SecureString[ \t]{1,4}(?:-\w{1,16}[ \t]{1,4}){0,3}["']([^\r\n"']{4,128})`],
  [['zip ', 'unzip '], `(?:un)?zip${ARGUMENTS}-P[ ]?${WORD}`],
  [['7z '], String.raw`7z${ARGUMENTS}-p["']?([^\s"']{6,128})`],
  [['gh secret set'], `gh secret set${ARGUMENTS}(?:-b|--body)[ =]?${WORD}`],
  [['snmp'], `snmp(?:walk|get|set|bulkwalk|bulkget)${ARGUMENTS}-[AX][ ]${WORD}`],
]

/** Ports of a container, and an address. */
const PLACE = /^(?:[\d.]{1,15}:)?\d{1,5}:\d{1,5}(?:\/\w{1,8})?$|^\d{1,3}(?:\.\d{1,3}){3}$/

/** In running text a word follows the command's name; a value is none, no option, and no reference to another place. */
const isValue = (value: string): boolean => !isPlaceholder(value) && !PLACE.test(value) && (/\d/.test(value) || !isWordy(value)) && !/^[$<{-]/.test(value) && !/\(.*\)$/.test(value)

const command = (literal: string, pattern: RegExp): Anchor => ({
  literal,
  find(text, at) {
    pattern.lastIndex = at
    const value = opensAt(text, at) ? pattern.exec(text)?.[1] : undefined
    return value === undefined || !isValue(value) ? undefined : last(pattern, value)
  },
})

export const HEADERS: readonly SecretRule[] = [
  {
    type: 'AUTHORIZATION', kind: 'secret', rank: RANK.header,
    anchors: [{ literal: 'authorization', anyCase: true, find: findAuthorization }, { literal: 'bearer ', anyCase: true, find: findBearer }, { literal: 'basic ', anyCase: true, find: findBasic }],
    yes: ['Authorization: Bearer «{an32}»\nAccept: x', '{"name":"Authorization","value":"Basic «c3ZjOnRyMHViYWRvdXI5Kg==»"}', '{\n  "name": "authorization",\n  "value": "Token «{an24}»"\n}',  '{"authorization":"token «{an24}»"}', "-H 'Authorization: «{an40}»'", 'Authorization: Basic «c3ZjOnRyMHViYWRvdXI5Kg==»', 'curl -H "X: Bearer «{an40}»"'],
    no: ['Authorization: Bearer <token>', '{"name":"Authorization","value":"The access token of the caller"}', 'Authorization: Bearer $TOKEN', 'Authorization: Basic dXNlcjpwYXNzd29yZA==', 'The bearer tokens of a caller', 'authorization: RoleBasedAccessControlPolicy', 'Authorization: AWS4-HMAC-SHA256 Credential=<key>/20240101/us-east-1/s3/aws4_request', 'Bearer authentication_is_required_here'],
  },
  {
    type: 'SESSION_COOKIE', kind: 'secret', rank: RANK.header,
    anchors: [{ literal: 'cookie', anyCase: true, find: findCookie }],
    yes: ['Cookie: theme=dark; sessionid=«{an32}»; x=1', 'Set-Cookie: connect.sid=«s%3A{an32}.{an43}»; Path=/', '{"name":"Cookie","value":"theme=dark; sid=«{an32}»"}'], no: ['Cookie: theme=dark', '{"name":"Cookie","value":"theme=dark"}',  'cookie: session=<value>'],
  },
  {
    type: 'COMMAND_LINE_PASSWORD', kind: 'secret', rank: RANK.header,
    anchors: COMMANDS.flatMap(([literals, source]) => {
      const pattern = new RegExp(source, 'y')
      return literals.map((literal) => command(literal, pattern))
    }),
    yes: ['curl -s -u app:«{an12}» https://api.example', 'sshpass -p «{an10}» ssh host', 'mysql -u app -p«{an12}» app', 'machine git.example login ada password «{an14}»', 'docker login -u ada -p «{an20}» registry.example',
      'curl -u app:«{an12}» https://api.example', 'curl --user app:«{an12}» https://api.example', 'curl -uapp:«{an12}» https://api.example', 'mysql -p«{an12}» app', 'mysqldump -p«{an12}» app', 'sqlcmd -S db -U sa -P «{an12}»',
      'ldapsearch -D cn=admin -w «{an12}» -b dc=example', 'smbclient -U app%«{an12}» //host/share', 'htpasswd -b .htpasswd app «{an12}»', 'keytool -list -keystore a.jks -storepass «{an12}»',
      'aws configure set aws_secret_access_key «{base40}»', 'requirepass «{an20}»', 'bindpw «{an12}»', 'mongo -u app -p «{an12}» db',
      '$c = ConvertTo-SecureString "«{an12}7»" -AsPlainText -Force', "ConvertTo-SecureString -AsPlainText -String '«{an12}7»'", 'gh secret set TOKEN --body "«{an40}»"',
      'zip -r -P «{an12}7» a.zip docs', 'unzip -P "«{an12}7»" a.zip', '7z x -p«{an12}7» a.7z'],
    no: ['curl -s -u user:password https://api.example', 'curl -u "$USER:$PASS" https://api.example', 'mysql -u app -p app', 'docker login registry.example', 'curl -u "$USER:$PASS" https://a.example', 'curl -u user:password https://a.example', 'mysql -p appdatabase', 'mysqldump -p"$PW" app', 'sqlcmd -P $(PW)',
      'ldapsearch -W -b dc=example', 'smbclient -U app //host/share', 'htpasswd -b FILE USER PASSWORD', 'keytool -list -storepass changeit', 'aws configure set region eu-central-1', 'the requirepass directive of redis', 'bindpw <password>',
      'htpasswd -c .htpasswd app', 'mongo database is up', 'docker run --name mongo -d -p 27017:27017 mongo:7', 'docker run --name mongo -p 127.0.0.1:27017:27017/tcp mongo', 'snmpget -v3 -A 10.0.0.15',
      'ConvertTo-SecureString "$env:PW2" -AsPlainText', 'gh secret set TOKEN --body "$TOKEN2"', 'unzip -P "$PW2" a.zip', 'the zip -P option', '7z x -p a.7z'],
  },
]
