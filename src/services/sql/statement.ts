/**
 * Makes the one text that the parser judges and the database runs: comments gone, one statement, named
 * parameters as the driver's placeholders. Its bounds stand before every parser.
 */

import { refusal } from '../../kernel/refusal.ts'
import type { Dialect } from './dialect.ts'
import { isWord, tokensOf } from './lexer.ts'
import type { Token } from './lexer.ts'
import { inKnownMysqlWords } from './mysql-words.ts'
import { asTableFunction, inKnownSqliteWords } from './sqlite-words.ts'

export interface Statement {
  /** What runs. */
  readonly text: string
  /** What the parser is asked about: the same statement, in words that it knows. */
  readonly judged: string
  /** Name of the parameter behind each placeholder, in order. */
  readonly parameters: readonly string[]
}

/** Chains of operators become trees as deep as they are long; some parsers die of them for good. */
export const MAX_OPERATORS = 400
export const MAX_NESTING = 50
export const MAX_PARAMETERS = 100

const CHAINING = new Set(
  'and or not xor div mod like ilike similar rlike regexp glob match in is isnull notnull between union intersect except minus join collate at when interval escape binary any all some operator natural'.split(' '),
)

/** @throws Refusal `sql.syntax`, `sql.too-complex`, `sql.statements` or `sql.parameter`. */
export function statementOf(sql: string, dialect: Dialect): Statement {
  const given = single(tokensOf(sql, dialect))
  checkDepth(given)
  const tokens = dialect === 'sqlite' ? asTableFunction(given) : given
  const parameters: string[] = []
  const sent = withPlaceholders(tokens, dialect, parameters)
  return { text: written(sent), judged: written(inKnownWords(sent, dialect)), parameters }
}

/** One statement, whatever closes it: a semicolon anywhere else is a second one. */
function single(tokens: readonly Token[]): readonly Token[] {
  let length = tokens.length
  while (tokens[length - 1]?.kind === 'end') length -= 1
  const statement = tokens.slice(0, length)
  if (length === 0) throw refusal('sql.syntax', 'the query is empty')
  if (statement.some(({ kind }) => kind === 'end')) throw refusal('sql.statements', 'send one statement without a semicolon inside')
  return statement
}

function checkDepth(tokens: readonly Token[]): void {
  let operators = 0
  let depth = 0
  for (const token of tokens) {
    const opens = token.kind === 'open' || isWord(token, 'case')
    if (opens) depth += 1
    else if (token.kind === 'close' || isWord(token, 'end')) depth = Math.max(0, depth - 1)
    if (isChaining(token)) operators += 1
    if (depth > MAX_NESTING) throw refusal('sql.too-complex', `a query nests at most ${MAX_NESTING} deep`)
    if (operators > MAX_OPERATORS) throw refusal('sql.too-complex', `a query has at most ${MAX_OPERATORS} operators`)
  }
}

const isChaining = ({ kind, text }: Token): boolean => kind === 'sign' || (kind === 'word' && CHAINING.has(text.toLowerCase()))

function withPlaceholders(tokens: readonly Token[], dialect: Dialect, parameters: string[]): readonly Token[] {
  const open: string[] = []
  return tokens.flatMap((token, index): Token[] => {
    if (token.kind === 'open') open.push(token.text)
    else if (token.kind === 'close') open.pop()
    if (token.kind !== 'parameter') return [dialect === 'postgres' ? token : apart(token, tokens[index - 1])]
    if (dialect === 'postgres' && open.at(-1) === '[' && isOperand(tokens[index - 1])) return sliced(token)
    return [{ kind: 'parameter', text: placeholder(token.text.slice(1), dialect, parameters), gap: ' ' }]
  })
}

function placeholder(name: string, dialect: Dialect, parameters: string[]): string {
  const known = parameters.indexOf(name)
  if (dialect === 'postgres' && known !== -1) return `$${known + 1} `
  if (parameters.length === MAX_PARAMETERS) throw refusal('sql.parameter', `a query has at most ${MAX_PARAMETERS} parameters`)
  parameters.push(name)
  return dialect === 'postgres' ? `$${parameters.length} ` : '? '
}

/** In `a[1:n]` the colon divides a slice, and what follows is a column. */
const sliced = ({ text, gap }: Token): Token[] => [{ kind: 'sign', text: ':', gap }, { kind: 'word', text: text.slice(1), gap: ' ' }]

const isOperand = (token: Token | undefined): boolean => token !== undefined && ['word', 'name', 'number', 'close', 'parameter'].includes(token.kind)

/** Two signs that stood apart stay apart, and two that only together would open a comment are parted. */
const apart = (token: Token, before: Token | undefined): Token => (token.kind === 'sign' && before?.kind === 'sign' && token.gap === '' ? { ...token, gap: ' ' } : token)

/** No more than blanks at the ends is dropped: a byte order mark is not ours to take away. */
const written = (tokens: readonly Token[]): string => tokens.map(({ gap, text }, index) => (index === 0 ? text : gap + text)).join('').replace(/ $/, '')

/** What the parser of the dialect is asked about; that of Postgres knows every word. */
function inKnownWords(tokens: readonly Token[], dialect: Dialect): readonly Token[] {
  if (dialect === 'postgres') return tokens
  return dialect === 'mysql' ? inKnownMysqlWords(tokens) : inKnownSqliteWords(tokens)
}
