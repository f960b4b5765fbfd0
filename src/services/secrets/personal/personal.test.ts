import { describe, expect, it } from 'vitest'
import { drawExample, seeded } from '../sample.fixture.ts'
import { createScanner } from '../scanner.ts'
import { CARD } from './card.ts'
import { IBAN } from './iban.ts'
import { NATIONAL_ID } from './national-ids.ts'
import { PHONE } from './phone.ts'
import { SSN } from './ssn.ts'

const scanner = createScanner()
/** A bar in a template is nothing, so that no scanner trips on this file; « and » mark what is found. */
const sample = (template: string) => drawExample(template, seeded(template))

const FOUND: Readonly<Record<string, readonly string[]>> = {
  'a card of sixteen digits by the prefix of an issuer': ['paid «50188528|34448527» today', 'paid «50192227|54631347» today', 'paid «60139634|10190848» today', 'paid «63636898|35806967» today', 'paid «60628262|64219056» today'],
  'a card of eighteen or nineteen digits by a rare prefix': ['paid «622244696|2913702855» today', 'paid «675936662|572973167» today', 'paid «506183354|118578802» today', 'paid «675930724|3765443305» today'],
  'a card of a common prefix and another length by its label': ['visa «463608377|8353374067»', 'card: «40736625|85176»'],
  'a card in groups with slashes, or with wide gaps beside a label': ['«4111/1111|/1111/1111»', 'card «4111  1111|  1111  1111»'],
  'a card in the first track of a magnetic stripe': ['%B«41111111|11111111»^DOE/JOHN^2512101', 'x;%B«37828224|6310005»^DOE/JANE^'],
  'a social security number with dots, beside its label': ['SSN «123.45|.6789»'],
  'a national number beside a compound of its label': ['Rijksregisternummer: «85.07.30|-033.28»', 'Steueridentifikationsnummer «86 095| 742 719»', 'Steuer-IdNr. «860957|42719»', 'Personnr: «811228|-9874»', 'BSN-nummer «111222|333»'],
  'a national number beside its label in camel case': ['"aadhaarNumber":"«234123|412346»"', 'nhsNumber: «943476|5919»', 'peselNumber=«440514|01359»', 'customerNhsNumber = «943 476| 5919»', 'codiceFiscale: «RSSMRA85|T10A562S»', 'patientPESEL: «440514|01359»'],
  'a national number with any separator beside its label': ['SIN «046-454|-286»', 'SIN «046\u2013454|\u2013286»', 'Aadhaar «2341\u20092341|\u20092346»', 'NHS «943\u202f476|\u202f5919»', 'NINO «QQ\u00a012\u00a034|\u00a056\u00a0C»', 'NHS «943  476|  5919»', 'NI: «AB 12 34| 56 C»'],
  'an account number with any separator': ['to «DE44\u202f5001|\u202f0517\u202f5407\u202f3249\u202f31» x', 'to «DE44  5001|  0517  5407  3249  31» x', 'to «DE44\u20135001|\u20130517\u20135407\u20133249\u201331» x'],
  'a telephone number in an unmistakable spelling of its country': ['«0044 20| 7946 0958»', 'ring «07700| 900123» today', '«(02) 5550| 1234»', '«(020) 7946| 0958»', '«(11) 91234|-5678»', '«8 (495) 123|-45-67»', '«090-1234|-5678»', '«0491 570| 156»'],
  'a telephone number before its extension': ['«212-555|-0147»x12', '«212-555|-0147» ext. 12'],
  'a telephone number beside a label of another language': ['Telefon: «0170 123|4567»', 'teléfono: «612 34| 56 78»', 'Telefono «06 1234| 5678»', 'telefoon: «020-123|4567»', 'cellulare: «333 123| 4567»', 'телефон: «8 495 123|-45-67»', '電話 «03-1234|-5678»', 'contact: «030 1234|5678»'],
  'a telephone number that a label clears of being something else': ['tel «200-300|-4000»', 'phone «05 12 23| 34 41»', 'call «0644 0755| 0600»'],
  'an address of mail before a colon or a slash': ['«admin|@example.com»: please', '«admin|@example.com»/x', 'write to «root|@example.com»:'],
  'an address of mail with a quoted or a wide local part': ['«"john doe"|@example.com»', 'to: «"john.doe"|@example.com», x', '«用户|@例子.公司»', '联系，«用户|@例子.公司»。'],
  'an address of mail in the domain of a company': ['«bob|@corp.local»', 'Bob <«bob|@mail.corp.local»>'],
}

const LEFT: Readonly<Record<string, readonly string[]>> = {
  'sixteen digits without a prefix in use, or with a wrong check digit': ['order 50188528|34448528', 'order 70139634|10190841', 'order 80139634|10190840'],
  'numbers drawn at random that look like long cards of a common prefix': ['trace 463608377|8353374067', 'ean 40063813|33931', 'span 5700000|000000000008'],
  'rows of four numbers with one step': ['3000 3001| 3002 3003', '4000-4200|-4400-4600'],
  'four columns of a table': ['4111  1111|  1111  1111'],
  'percent-encoded bytes beside digits': ['%B411|1', '%B41111|11111111112^', '%B41111111|11111111 DOE'],
  'numbers with dots like those of social security': ['123.45|.6789', 'build 772-45|-6789', 'firmware 772-45|-6789'],
  'words that begin or end like a label': ['nirvana 1850578006084|91', 'single 046454|286', 'PESELKA 44051401|359', 'mynhs9 9434765|919', 'snhs 9434765|919'],
  'groups of digits with a label and a wrong check digit': ['nhsNumber: 9434765|918', 'SIN 046-454|-287'],
  'pairs of digits that go up or belong to bytes': ['05 12 23| 34 41', 'Lotto: 07 11| 24 35 42', 'bytes 04 21| 33 07 12', '02 04 06| 08 10', '09.11.22|.33.44 firmware'],
  'modes of files, and times of day': ['0644 0755| 0600', 'chmod 0644| 0755 0600', '0900 1700| 2100 hours', 'from 0900| 1200 1500', 'od: 0100 0200| 0300'],
  'sizes, resolutions and builds in three groups': ['200-300|-4000', '250-350|-2000 ppm', '300-400|-5000 K', '800-600|-4000 mm', 'model 240-320|-1080', 'ratio 200.300|.4000', 'build 212.555|.0147', '010 200| 3000', '020 100| 2000 ms', '912-911|-2020'],
  'large numbers in groups of three': ['1 000 234| 567', '1\u2009000\u2009234|\u2009567', '12\u202f045\u202f234|\u202f567 km', '045\u00a0234|\u00a0567\u00a0890'],
  'coordinates': ['+40.6894|-074.0447', '+40.6894|-074.0447/', '+52.520006, |+13.404954', '+48.856614|+002.352221'],
  'sums': ['a = 5 +33199|001', 'x = a+33199|001234'],
  'dates beside a label of telephones': ['call on 2024-01-15| 10:30', 'contact: 2024-01-15| 10:30'],
  'identifiers of trade items': ['(01) 09501101|530003', '(00) 12345678|0000000018', '(12) 1990|-2000'],
  'units of systemd': ['getty|@tty1.service', 'user|@1000.service', 'docker|@compose.socket', 'home|@host.mount', 'backup|@daily.timer'],
  'logins on a host before a path': ['git|@github.com:org/repo.git', 'git|@github.com/org/repo', 'scp x deploy|@host.example.com:/srv', 'root|@pve.local:~# ls', 'ann|@mac.local:~$ ls', 'admin|@host.example.com:backup', 'user|@host:path', 'redis|@cache.svc.cluster.local'],
  'marks of quotation before an at sign': ['"chat"|@fr .', '"app"|@localhost', 'x"|@example.com', '@"text"', '谢谢|@小明。', '来自|@socket.io'],
}

const rows = (table: Readonly<Record<string, readonly string[]>>) => Object.entries(table).flatMap(([kind, templates]) => templates.map((template) => [kind, template] as const))

describe('personal data', () => {
  it.each(rows(FOUND))('finds %s: %s', (_kind, template) => {
    const { text, start, end } = sample(template)
    expect(scanner.scan(text).map((finding) => [finding.start, finding.end]), text).toEqual([[start, end]])
  })

  it.each(rows(LEFT))('leaves %s: %s', (_kind, template) => {
    const { text } = sample(template)
    expect(scanner.scan(text), text).toEqual([])
  })
})

describe('marks between the groups of a number', () => {
  const MARKS = ['\u00a0', '\u2007', '\u2009', '\u202f', '\u3000', '\u2010', '\u2011', '\u2012', '\u2013', '\u2212']
  const NUMBERS = [[CARD, '4111~1111|~1111~1111'], [SSN, 'SSN 123~45|~6789'], [PHONE, '+44~20|~7946~0958'], [PHONE, 'tel 212~555|~0147'], [IBAN, 'DE44~5001|~0517~5407~3249~31'], [NATIONAL_ID, 'SIN 046~454|~286']] as const
  const named = MARKS.map((mark) => [`U+${mark.charCodeAt(0).toString(16).padStart(4, '0')}`, mark] as const)

  // The rule itself is asked, at every digit and label.
  it.each(named)('may all be %s', (_name, mark) => {
    for (const [rule, template] of NUMBERS) {
      const text = sample(template.replaceAll('~', mark)).text
      const asks = [...text.matchAll(/\d/g)].map(({ index }) => rule.onNumber?.(text, index))
      const labelled = rule.anchors?.filter(({ literal }) => text.toLowerCase().startsWith(literal)).map(({ find }) => find(text, 0)) ?? []
      const ends = [...asks, ...labelled].map((span) => span?.end)
      expect(ends, text).toContain(text.length)
    }
  })

  it.each(named)('differ from the sign that parts sentences and from another of them: %s', (_name, mark) => {
    for (const template of [`4111${mark}1111|\u20141111${mark}1111`, `4111${mark}1111|/1111${mark}1111`]) {
      const { text } = sample(template)
      expect(CARD.onNumber?.(text, 0), text).toBeUndefined()
    }
  })

})
