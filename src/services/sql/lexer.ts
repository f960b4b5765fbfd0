/**
 * Splits SQL into tokens in one pass over the text, by the word rules of its dialect. Comments end here:
 * no parser and no database ever sees one, so none can execute.
 */

import { refusal } from '../../kernel/refusal.ts'
import type { Dialect } from './dialect.ts'

export type TokenKind = 'word' | 'name' | 'text' | 'number' | 'sign' | 'open' | 'close' | 'comma' | 'dot' | 'end' | 'parameter'

export interface Token {
  readonly kind: TokenKind
  readonly text: string
  /** What stood before it: nothing, a blank, or a line break, which decides whether Postgres joins two texts. */
  readonly gap: '' | ' ' | '\n'
}

/** A keyword, which a quoted name never is. */
export const isWord = (token: Token | undefined, word: string): boolean => token?.kind === 'word' && token.text.toLowerCase() === word

export const isAny = (token: Token | undefined, words: readonly string[]): boolean => words.some((word) => isWord(token, word))

/** What may be a name, in quotes or not. */
export const isNamed = (token: Token | undefined): boolean => token?.kind === 'word' || token?.kind === 'name'

interface Rule {
  readonly kind: TokenKind | 'blank' | 'comment' | 'refuse'
  readonly pattern: RegExp
}

const rule = (kind: Rule['kind'], source: string, flags = ''): Rule => ({ kind, pattern: new RegExp(source, `y${flags}`) })

const WORD = String.raw`[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*`
const NUMBER = String.raw`(?:0[xXoObB][\da-fA-F_]+|(?:\d[\d_]*(?:\.[\d_]*)?|\.\d[\d_]*)(?:[eE][+-]?\d+)?)`
const PARAMETER = String.raw`:claim\.\w+|:[A-Za-z_]\w*`
const PLAIN_TEXT = `'[^']*'(?:'[^']*')*`
const ESCAPED_TEXT = String.raw`'(?:[^'\\]|\\[^]|'')*'`
const QUOTED_NAME = `"[^"]*"(?:"[^"]*")*`
const BACKTICKED = '`[^`]*`(?:`[^`]*`)*'
const STOPS: readonly Rule[] = [rule('comma', ','), rule('end', ';')]
const MARKS: readonly Rule[] = [rule('open', String.raw`[(\[]`), rule('close', String.raw`[)\]]`), ...STOPS]
/** Square brackets are the quotes of names: one that nothing closes is no mark. */
const ROUND_MARKS: readonly Rule[] = [rule('open', String.raw`\(`), rule('close', String.raw`\)`), ...STOPS]

/** The first rule that fits wins, so what opens a comment or a text stands before the signs. */
const RULES: Readonly<Record<Dialect, readonly Rule[]>> = {
  postgres: [
    rule('blank', String.raw`[ \t\n\r\f\v]+`),
    rule('comment', String.raw`--[^\n\r]*`),
    // A Postgres comment nests, which no regular expression can count.
    rule('comment', String.raw`/\*`),
    rule('text', `[eE]${ESCAPED_TEXT}`), rule('text', `(?:[bBxXnN]|[uU]&)?${PLAIN_TEXT}`),
    rule('text', String.raw`\$(?<tag>(?:[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)?)\$[^]*?\$\k<tag>\$`),
    rule('name', `(?:[uU]&)?${QUOTED_NAME}`),
    rule('word', WORD), rule('number', NUMBER), rule('parameter', PARAMETER), ...MARKS,
    rule('sign', String.raw`::|:=|:|\.\.|(?:(?!--|/\*)[-+*/<>=~!@#%^&|?` + '`])+'), rule('dot', String.raw`\.`),
  ],
  mysql: [
    rule('blank', String.raw`[ \t\n\r\f\v]+`),
    rule('refuse', String.raw`/\*M?!`),
    rule('comment', String.raw`#[^\n]*`), rule('comment', String.raw`--(?=[\s\u0000-\u001f]|$)[^\n]*`), rule('comment', String.raw`/\*[^]*?\*/`),
    rule('text', `[bBxXnN]?${ESCAPED_TEXT}`), rule('text', ESCAPED_TEXT.replaceAll("'", '"')),
    rule('name', BACKTICKED),
    rule('word', String.raw`@{1,2}(?:[\w$.]+|` + BACKTICKED + `|${PLAIN_TEXT})`),
    rule('number', String.raw`${NUMBER}(?![\w$\u0080-\uffff])`), rule('word', String.raw`[\w$\u0080-\uffff]+`), rule('parameter', PARAMETER), ...MARKS,
    // The escapes of ODBC, as {d '2024-01-01'}.
    rule('open', String.raw`\{`), rule('close', String.raw`\}`),
    rule('refuse', ':=|[?:]'),
    rule('sign', String.raw`<=>|<<|>>|<>|<=|>=|!=|->>|->|\|\||&&|[-+*/<>=~!%^&|]`), rule('dot', String.raw`\.`),
  ],
  sqlite: [
    rule('blank', String.raw`[ \t\n\r\f]+`),
    rule('comment', String.raw`--[^\n]*`), rule('comment', String.raw`/\*[^]*?\*/`),
    rule('text', `[xX]?${PLAIN_TEXT}`),
    rule('name', QUOTED_NAME), rule('name', BACKTICKED), rule('name', String.raw`\[[^\]]*\]`),
    rule('word', WORD), rule('number', NUMBER), rule('parameter', PARAMETER), ...ROUND_MARKS,
    rule('refuse', '[?:@$]'),
    rule('sign', String.raw`<<|>>|<>|<=|>=|==|!=|->>|->|\|\||[-+*/<>=~%&|]`), rule('dot', String.raw`\.`),
  ],
}

/** Bytes of UTF-8. Parsers that can be killed by a long text never see one. */
export const MAX_BYTES = 16_384

/** @throws Refusal `sql.syntax` for what no token can be, `sql.too-complex` for a text over the limit. */
export function tokensOf(sql: string, dialect: Dialect): readonly Token[] {
  if (sql.length > MAX_BYTES || Buffer.byteLength(sql) > MAX_BYTES) throw refusal('sql.too-complex', `a query has at most ${MAX_BYTES} bytes`)
  if (sql.includes('\0')) throw refusal('sql.syntax', 'a query holds no NUL')
  if (/\p{Surrogate}/u.test(sql)) throw refusal('sql.syntax', 'a query is well-formed Unicode')
  const tokens: Token[] = []
  let gap: Token['gap'] = ''
  let at = 0
  let isSplit = false
  while (at < sql.length) {
    const { kind, end } = next(sql, at, RULES[dialect])
    const text = sql.slice(at, end)
    at = end
    if (kind === 'comment') isSplit = true
    // Postgres joins two texts over a line break; over which comments differs between its versions, so over none.
    if (kind === 'blank' || kind === 'comment') gap = !isSplit && (gap === '\n' || (kind === 'blank' && /[\n\r]/.test(text))) ? '\n' : ' '
    else {
      tokens.push({ kind, text, gap })
      gap = ''
      isSplit = false
    }
  }
  return tokens
}

type Step = { readonly kind: Exclude<Rule['kind'], 'refuse'>; readonly end: number }

function next(sql: string, at: number, rules: readonly Rule[]): Step {
  for (const { kind, pattern } of rules) {
    pattern.lastIndex = at
    if (!pattern.test(sql)) continue
    if (kind === 'refuse') throw refusal('sql.syntax', 'executable comments, assignments and bare placeholders are not accepted; bind values as :name')
    const end = pattern.lastIndex
    return { kind, end: kind === 'comment' && end === at + 2 && sql.startsWith('/*', at) ? nestedEnd(sql, at) : end }
  }
  throw refusal('sql.syntax', 'a character or an unfinished text that the dialect does not know')
}

/** Where a comment that may hold comments ends (Postgres 18 documentation, §4.1.5). */
function nestedEnd(sql: string, from: number): number {
  const edge = /\/\*|\*\//g
  edge.lastIndex = from
  let depth = 0
  for (let found = edge.exec(sql); found; found = edge.exec(sql)) {
    depth += found[0] === '/*' ? 1 : -1
    if (depth === 0) return edge.lastIndex
  }
  throw refusal('sql.syntax', 'a comment has no end')
}
