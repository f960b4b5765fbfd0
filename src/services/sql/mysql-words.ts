/** What the parser lacks of MySQL and MariaDB, in words that it knows. */

import { instead, reworded } from './known-words.ts'
import type { Bracket, Place, Wording } from './known-words.ts'
import { isAny, isNamed, isWord } from './lexer.ts'
import type { Token } from './lexer.ts'

/** What SHOW tells, and the table that a query would read for it. */
const SHOWN: ReadonlyMap<string, string> = new Map([
  ['schemas', 'information_schema.schemata'],
  ['table status', 'information_schema.tables'],
  ['triggers', 'information_schema.triggers'],
  ['events', 'information_schema.events'],
  ['function status', 'information_schema.routines'],
  ['procedure status', 'information_schema.routines'],
  ['collation', 'information_schema.collations'],
  ['character set', 'information_schema.character_sets'],
  ['charset', 'information_schema.character_sets'],
  ['engines', 'information_schema.engines'],
  ['storage engines', 'information_schema.engines'],
  ['plugins', 'information_schema.plugins'],
  ...['variables', 'status'].flatMap((what): [string, string][] => [
    [`global ${what}`, `performance_schema.global_${what}`],
    [`session ${what}`, `performance_schema.session_${what}`],
    [`local ${what}`, `performance_schema.session_${what}`],
  ]),
])

/** Units of more than one part, all of them reserved, by a unit of one. */
const UNITS: ReadonlyMap<string, string> = new Map(
  ['year_month', 'day_hour', 'day_minute', 'day_second', 'day_microsecond', 'hour_minute', 'hour_second', 'hour_microsecond', 'minute_second', 'minute_microsecond', 'second_microsecond'].map((unit) => [unit, unit.split('_', 1).join()]),
)

/** What a bracket of tables does not begin with, because it is a query. */
const QUERIES = ['select', 'with', 'values', 'table']
/** What EXPLAIN explains, and so no table that it describes. */
const EXPLAINED = [...QUERIES, 'insert', 'replace', 'update', 'delete', 'analyze', 'extended', 'partitions', 'format', 'for', 'into']
const HINTED = [['join'], ['order', 'by'], ['group', 'by']]
const ESCAPES = ['d', 't', 'ts', 'fn', 'oj']

const WORDINGS: readonly Wording[] = [
  function shown({ tokens, index }) {
    if (index !== 0 || !isWord(tokens[0], 'show')) return undefined
    const said = tokens.slice(1, 3).map(({ kind, text }) => (kind === 'word' ? text.toLowerCase() : ''))
    const words = SHOWN.has(said.join(' ')) ? 2 : 1
    const table = SHOWN.get(said.slice(0, words).join(' '))
    const isInSchema = (isWord(tokens[words + 1], 'from') || isWord(tokens[words + 1], 'in')) && isNamed(tokens[words + 2])
    const end = words + (isInSchema ? 3 : 1)
    if (table === undefined) return undefined
    if (isWord(tokens[end], 'like')) return instead(end + 1, `SELECT * FROM ${table} WHERE '' LIKE`)
    return tokens[end] === undefined || isWord(tokens[end], 'where') ? instead(end, `SELECT * FROM ${table}`) : undefined
  },
  /** DESCRIBE t c tells less than DESCRIBE t. */
  function described({ tokens, index }) {
    const [first, table, dot] = tokens
    const isLast = index === tokens.length - 1 && (index === 2 || (index === 4 && dot?.kind === 'dot')) && (isNamed(tokens[index]) || tokens[index]?.kind === 'text')
    const isTable = ['describe', 'desc', 'explain'].some((word) => isWord(first, word)) && isNamed(table) && !isAny(table, EXPLAINED)
    return isLast && isTable ? instead(1, '') : undefined
  },
  ({ tokens, index }) => (index === 0 && isWord(tokens[0], 'table') ? instead(1, 'SELECT * FROM') : undefined),
  ({ tokens, index }) => (isWord(tokens[index], 'mod') && tokens[index + 1]?.kind !== 'open' ? instead(1, '%') : undefined),
  ({ tokens, index }) => (tokens[index]?.kind === 'sign' && tokens[index].text === '!' ? instead(1, 'NOT') : undefined),
  ({ tokens, index }) => (isWord(tokens[index], 'sounds') && isWord(tokens[index + 1], 'like') ? instead(2, 'LIKE') : undefined),
  ({ tokens, index }) => (isWord(tokens[index], 'with') && isWord(tokens[index + 1], 'rollup') ? instead(2, '') : undefined),
  function unit({ tokens, index }) {
    const token = tokens[index] as Token
    const known = token.kind === 'word' ? UNITS.get(token.text.toLowerCase()) : undefined
    return known === undefined ? undefined : instead(1, known)
  },
  /** The function; what stands before a unit has no comma. */
  ({ tokens, index }) => (isWord(tokens[index], 'interval') && tokens[index + 1]?.kind === 'open' && isList(tokens, index + 1) ? instead(1, '`interval`') : undefined),
  function trimmed({ tokens, index, brackets }) {
    const isSide = isAny(tokens[index], ['both', 'leading', 'trailing']) && isFirst({ tokens, index, brackets }, 'trim')
    return isSide && isWord(tokens[index + 1], 'from') ? instead(2, '') : undefined
  },
  /** MID(x FROM a FOR b), where SUBSTRING is known. */
  function mid({ tokens, index, brackets }) {
    const bracket = brackets.at(-1)
    const isPart = (isWord(tokens[index], 'from') || isWord(tokens[index], 'for')) && bracket?.word === 'mid' && !isAny(tokens[bracket.index + 1], QUERIES)
    return isPart ? instead(1, ',') : undefined
  },
  function charset({ tokens, index, brackets }) {
    const isCharset = brackets.at(-1)?.word === 'char' && isWord(tokens[index], 'using') && isNamed(tokens[index + 1]) && tokens[index + 2]?.kind === 'close'
    return isCharset ? instead(2, '') : undefined
  },
  /** In an aggregate of MariaDB, as numbers. */
  function limit({ tokens, index, brackets }) {
    if (!['group_concat', 'json_arrayagg'].includes(brackets.at(-1)?.word ?? '') || !isWord(tokens[index], 'limit')) return undefined
    const isPair = tokens[index + 2]?.kind === 'comma' || isWord(tokens[index + 2], 'offset')
    const taken = isPair ? 4 : 2
    const isLimit = isCount(tokens[index + 1]) && isCount(tokens[index + taken - 1]) && tokens[index + taken]?.kind === 'close'
    return isLimit ? instead(taken, '') : undefined
  },
  function hinted({ tokens, index }) {
    if (!isWord(tokens[index], 'for') || !isAny(tokens[index - 1], ['index', 'key']) || !isAny(tokens[index - 2], ['use', 'ignore', 'force'])) return undefined
    const purpose = HINTED.find((words) => tokens[index + words.length + 1]?.kind === 'open' && words.every((word, at) => isWord(tokens[index + at + 1], word)))
    return purpose && instead(purpose.length + 1, '')
  },
  /** `{d '…'}` is the value in it, `{oj …}` the join. */
  function escaped({ tokens, index, brackets }) {
    const open = tokens[brackets.at(-1)?.index ?? index]?.text
    if (tokens[index]?.text === '}' && open === '{') return instead(1, ')')
    return tokens[index]?.text === '{' && isAny(tokens[index + 1], ESCAPES) ? instead(2, '(') : undefined
  },
  ({ tokens, index, brackets }) => (tokens[index]?.kind === 'comma' && isTables(tokens, brackets) ? instead(1, 'CROSS JOIN') : undefined),
]

const isCount = (token: Token | undefined): boolean => token?.kind === 'number' || token?.kind === 'parameter'

/** Whether it is the first in the brackets of that function. */
const isFirst = ({ index, brackets }: Place, word: string): boolean => brackets.at(-1)?.word === word && brackets.at(-1)?.index === index - 1

/** Whether the brackets that open there hold a comma of their own. */
function isList(tokens: readonly Token[], open: number): boolean {
  let depth = 0
  for (let index = open; index < tokens.length; index += 1) {
    const kind = tokens[index]?.kind
    if (kind === 'open') depth += 1
    else if (kind === 'close') depth -= 1
    if (depth === 0) return false
    if (depth === 1 && kind === 'comma') return true
  }
  return false
}

/** Whether the innermost brackets hold tables: they follow FROM or JOIN, or begin a table of others that do. */
function isTables(tokens: readonly Token[], brackets: readonly Bracket[]): boolean {
  const bracket = brackets.at(-1)
  if (!bracket) return false
  let first = bracket.index + 1
  while (tokens[first]?.kind === 'open') first += 1
  if (!isNamed(tokens[first]) || isAny(tokens[first], QUERIES)) return false
  if (['from', 'join', 'straight_join'].includes(bracket.word)) return true
  const before = tokens[bracket.index - 1]?.kind
  return (before === 'open' || before === 'comma') && isTables(tokens, brackets.slice(0, -1))
}

export const inKnownMysqlWords = (tokens: readonly Token[]): readonly Token[] => reworded(tokens, WORDINGS)
