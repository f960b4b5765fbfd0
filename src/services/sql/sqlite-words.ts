/** What the parser lacks of SQLite, in words that it knows. */

import { instead, reworded } from './known-words.ts'
import type { Wording } from './known-words.ts'
import { isAny, isNamed, isWord } from './lexer.ts'
import type { Token } from './lexer.ts'
import { SQLITE_TABLES_OF_A_TABLE } from './sqlite-functions.ts'

/** A PRAGMA that describes a table, as the table function of that name; anything else as it is. This is what runs, too. */
export function asTableFunction(tokens: readonly Token[]): readonly Token[] {
  const [first, schema, dot] = tokens
  if (!isWord(first, 'pragma')) return tokens
  const [name, ...call] = tokens.slice(isWord(schema, 'main') && dot?.kind === 'dot' ? 3 : 1)
  const called = name?.kind === 'word' ? `pragma_${name.text.toLowerCase()}` : ''
  const argument = argumentOf(call)
  // Without an argument only the list of tables has rows.
  const isKnown = SQLITE_TABLES_OF_A_TABLE.has(called) && (argument !== undefined || (call.length === 0 && called === 'pragma_table_list'))
  return isKnown ? [{ kind: 'word', text: `SELECT * FROM ${called}${argument === undefined ? '' : `(${argument})`}`, gap: '' }] : tokens
}

function argumentOf([open, value, close, ...more]: readonly Token[]): string | undefined {
  return open?.text === '(' && value && close?.text === ')' && more.length === 0 ? asText(value) : undefined
}

/** Here a name and a text are one and the same. */
function asText({ kind, text }: Token): string | undefined {
  if (kind === 'word') return `'${text}'`
  if (kind === 'text') return text.startsWith("'") ? text : undefined
  if (kind !== 'name') return undefined
  const quote = text.slice(-1)
  const inner = text.slice(1, -1)
  return `'${(quote === ']' ? inner : inner.replaceAll(quote + quote, quote)).replaceAll("'", "''")}'`
}

/** Words of SQLite that are names, too, where no operator can stand. */
const INFIX = ['glob', 'match', 'regexp']
/** Before a name of a table or of a query. */
const BEFORE_NAMES = ['from', 'join', 'with', 'recursive', 'as', 'in']
/** What follows `indexed by` where both are names, of a column or a table and its alias. */
const AFTER_ALIAS = 'from where group having order limit offset window union except intersect join left right full inner outer cross natural on using indexed not as'.split(' ')
const SHIFTS = ['<<', '>>']
/** What the parser takes after IS; SQLite takes any expression. */
const KNOWN_AFTER_IS = ['null', 'true', 'false', 'distinct']
const EXCLUDED = [['no', 'others'], ['current', 'row'], ['group'], ['ties']]

const WORDINGS: readonly Wording[] = [
  function infix({ tokens, index }) {
    const isOperator = isOperand(tokens[index - 1]) && tokens[index + 1]?.kind !== 'open'
    return isOperator && isAny(tokens[index], INFIX) ? instead(1, 'LIKE') : undefined
  },
  ({ tokens, index }) => (tokens[index]?.kind === 'sign' && SHIFTS.includes(tokens[index].text) ? instead(1, '&') : undefined),
  ({ tokens, index }) => (isWord(tokens[index], 'isnull') ? instead(1, 'IS NULL') : isWord(tokens[index], 'notnull') ? instead(1, 'IS NOT NULL') : undefined),
  ({ tokens, index }) => (isWord(tokens[index], 'not') && isWord(tokens[index + 1], 'indexed') ? instead(2, '') : undefined),
  function indexed({ tokens, index }) {
    const isHint = isOperand(tokens[index - 1]) && isWord(tokens[index], 'indexed') && isWord(tokens[index + 1], 'by')
    return isHint && isNamed(tokens[index + 2]) && !isAny(tokens[index + 2], AFTER_ALIAS) ? instead(3, '') : undefined
  },
  function materialized({ tokens, index }) {
    const negated = isWord(tokens[index], 'not') ? 1 : 0
    const isHint = isWord(tokens[index - 1], 'as') && isWord(tokens[index + negated], 'materialized') && tokens[index + negated + 1]?.kind === 'open'
    return isHint ? instead(negated + 1, '') : undefined
  },
  function excluded({ tokens, index }) {
    const isAfterBound = isAny(tokens[index - 1], ['preceding', 'following', 'row'])
    if (!isAfterBound || !isWord(tokens[index], 'exclude')) return undefined
    // The frame is the last part of its window, so nothing but a bracket follows.
    const rows = EXCLUDED.find((words) => tokens[index + words.length + 1]?.kind === 'close' && words.every((word, at) => isWord(tokens[index + at + 1], word)))
    return rows && instead(rows.length + 1, '')
  },
  /** `x IN t` reads the table t. */
  function tableList({ tokens, index }) {
    if (!isWord(tokens[index], 'in') || !isNamed(tokens[index + 1])) return undefined
    let end = index + 2
    while (tokens[end]?.kind === 'dot' && tokens[end + 1]) end += 2
    return { taken: end - index, put: [...instead(1, 'IN (SELECT * FROM').put, ...tokens.slice(index + 1, end), { kind: 'close', text: ')', gap: '' }] }
  },
  function is({ tokens, index }) {
    if (!isWord(tokens[index], 'is')) return undefined
    const negated = isWord(tokens[index + 1], 'not') ? 1 : 0
    const isKnown = isAny(tokens[index + negated + 1], KNOWN_AFTER_IS)
    return isKnown ? undefined : instead(1 + negated, '=')
  },
]

/** Whether something ends there that an operator can follow, or a table that a hint can. */
const isOperand = (token: Token | undefined): boolean => token !== undefined && ['word', 'name', 'number', 'text', 'close', 'parameter'].includes(token.kind) && !isAny(token, BEFORE_NAMES)

export const inKnownSqliteWords = (tokens: readonly Token[]): readonly Token[] => reworded(tokens, WORDINGS)
