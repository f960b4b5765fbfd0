/** What stands between a name and its value in the notations of code, settings, JSON, YAML, XML, Markdown and command lines. */

import type { Span } from '../rule.ts'

const BLANKS = String.raw`[ \t]{0,40}`
const QUOTE = String.raw`\\{0,3}["'\x60]`
/** A type between colon and sign, as in TypeScript, Kotlin and Rust. A sign that closes a word and that nothing follows pads a value in base64. */
const TYPE = String.raw`[?!]?:[ \t]{0,4}[&A-Za-z][\w<>|?' .\[\]]{0,30}=(?![=>])(?:(?<=[ \t]=)|(?=[ \t]{0,4}[^\s#,;)\]}]))`
// Those that go over a line end come first, since what is left of them reads as another.
const SHAPES = [
  // "name":, and the value on the next line; a block of YAML
  String.raw`${QUOTE}:[ \t]{0,4}\r?\n[ \t]{0,40}(?=["'])`,
  String.raw`:[ \t]{1,4}[|>][+-]?[ \t]{0,4}\r?\n[ \t]{1,40}`,
  // "name", "value": "value"; the same of YAML and XML
  String.raw`(?:${QUOTE})?(?:,[ \t]{0,4}(?:\r?\n[ \t]{0,40})?|\r?\n[ \t]{0,40}|[ \t]{1,8})(?:${QUOTE})?[vV]alue(?:${QUOTE})?[ \t]{0,4}[:=][ \t]{0,4}`,
  // "name" { default = "value" }, a variable of Terraform with its default
  String.raw`"[ \t]{1,4}\{[ \t]{0,4}\r?\n(?:[ \t]{0,8}(?:type|description|sensitive|nullable)[ \t]{0,20}=[^\r\n]{0,120}\r?\n){0,4}[ \t]{0,8}default[ \t]{0,20}=[ \t]{0,4}(?=")`,
  // <key>name</key><string>value, as property lists have it
  String.raw`<\/key>\s{0,40}<string>`,
  // name || "value"
  String.raw`(?:${QUOTE})?[\])]?[ \t]{0,4}(?:\|\||\?\?|\?:)[ \t]{0,4}(?=["'\x60])`,
  // name string = "value", name[] = "value"
  String.raw`(?:[ \t]{1,4}\*?[a-z][\w.]{1,20}|\[\d{0,5}\])[ \t]{0,4}=[ \t]{0,4}(?=["'\x60])`,
  // **name**: value
  String.raw`\*\*:[ \t]{0,4}`,
  // name = value, name: type = value, name => value, ${NAME:-value}
  `(?:${QUOTE})?\\]?${BLANKS}(?:${TYPE}|=>|={1,3}|:=|:-|->|\\?=|\\|\\|=|\\?\\?=|:\\*\\*|::?|~>)${BLANKS}`,
  // setName("value")
  String.raw`\((?=["'\x60])`,
  // "name", "value"; <name>value and <name type="text">value; name is value; --name value
  String.raw`(?:${QUOTE})?\]?(?:[ \t]{0,4},[ \t]{0,4}(?=["'\x60])|(?:[ \t]{1,4}[A-Za-z][\w:.-]{0,39}="[^"<>\r\n]{0,120}"){0,4}>(?:<!\[CDATA\[)?(?=[^<\s])|[ \t]{1,8}is[ \t]{1,4}|[ \t]{1,8})`,
]
const OPERATOR = new RegExp(SHAPES.join('|'), 'y')

/** Where the value begins after a name that ends at `at`. */
export function operatorEnd(text: string, at: number): number | undefined {
  OPERATOR.lastIndex = at
  return OPERATOR.test(text) ? OPERATOR.lastIndex : undefined
}

const mayFollow = new Uint8Array(128)
for (const char of '"\'`\\]=:<>,?|~-*[(!\r\n') mayFollow[char.charCodeAt(0)] = 1
const BLANK_FOLLOWS = /[ \t]{1,40}(?:["'`=:?|~-]|is[ \t]|value=|\*?[a-z][\w.]{1,20}[ \t]{1,4}=|[A-Za-z][\w:.-]{0,39}=")/y

/** A cheap look at what stands behind the name, since most names stand in running text. */
export function hasOperator(text: string, { start, end }: Span): boolean {
  const next = text.charCodeAt(end)
  if (next !== 32 && next !== 9) return next < 128 && mayFollow[next] === 1
  BLANK_FOLLOWS.lastIndex = end
  // After an option, the name of a variable, or the word itself a blank may be all.
  return BLANK_FOLLOWS.test(text) || text[start] === '-' || text.startsWith('_auth', start) || /^(?:[A-Z][A-Z0-9_]*|[Pp]ass(?:word|phrase|wd))$/.test(text.slice(start, end))
}
