/**
 * Splits a script into its statements, each with the line on which it begins. They run as one transaction, so what
 * begins or ends one is passed over or refused; what only the program `psql` understands is refused.
 */

import { LoadError } from './load-error.ts'

export interface ScriptStatement {
  readonly line: number
  readonly sql: string
}

/** What begins something that a semicolon inside does not end (PostgreSQL, §4.1), then words, ends, and commands of psql. */
const TOKEN = new RegExp(
  [
    String.raw`(?<inside>\b[eE]'|['"]|/\*|\$(?:[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$)`, String.raw`--[^\n]*`,
    String.raw`(?<word>[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*)`, '(?<end>;)', String.raw`(?<meta>^[ \t]*\\[^\n]*)`,
  ].join('|'),
  'gm',
)

/** @throws LoadError with the line of what cannot run here. */
export function statementsOf(script: string): readonly ScriptStatement[] {
  const statements: ScriptStatement[] = []
  const lineOf = lineCounter(script)
  const body = createBody()
  const tokens = new RegExp(TOKEN)
  // Where the token before ended, and where the statement began, or -1 while there is none.
  let [from, begun] = [0, -1]
  const close = (at: number): void => {
    if (begun < 0) begun = from + Math.max(0, script.slice(from, at).search(/\S|$/))
    take({ line: lineOf(begun), sql: script.slice(begun, at).trim() }, statements)
    begun = -1
    body.reset()
  }
  for (let found = tokens.exec(script); found; found = tokens.exec(script)) {
    const { inside, word, end, meta } = found.groups ?? {}
    const isComment = inside === '/*' || found[0].startsWith('--')
    // Signs are no tokens, so a statement may have begun with one.
    const sign = begun < 0 ? script.slice(from, found.index).search(/\S/) : -1
    if (sign >= 0) begun = from + sign
    if (inside !== undefined) tokens.lastIndex = endOf(script, { inside, from: found.index, lineOf })
    if (meta !== undefined && begun < 0) checkMeta(meta.trim(), lineOf(found.index))
    else if (end !== undefined && !body.isOpen()) close(found.index)
    else if (!isComment && begun < 0) begun = found.index
    if (word !== undefined) body.see(word.toLowerCase())
    from = tokens.lastIndex
  }
  close(script.length)
  return statements
}

/** Asked with places that only rise, it reads the script once. */
function lineCounter(script: string): (at: number) => number {
  let line = 1
  const after = (at: number): number => {
    const found = script.indexOf('\n', at)
    return found < 0 ? script.length : found
  }
  // Remembered, so that a long line is not searched again for each place on it.
  let feed = after(0)
  return (at) => {
    for (; feed < at; feed = after(feed + 1)) line += 1
    return line
  }
}

interface Inside {
  readonly inside: string
  readonly from: number
  readonly lineOf: (at: number) => number
}

/** Where a text, a quoted name or a comment ends. By hand: a regular expression needs memory for each quote in a text. */
function endOf(script: string, { inside, from, lineOf }: Inside): number {
  if (inside === '/*') return commentEnd(script, from, lineOf)
  const begin = from + inside.length
  const quote = inside.startsWith('$') ? inside : inside.slice(-1)
  const isEscaping = inside.length === 2 && quote === "'"
  const special = isEscaping ? /['\\]/g : undefined
  for (let at = begin; ; ) {
    if (special) special.lastIndex = at
    const end = special ? (special.exec(script)?.index ?? -1) : script.indexOf(quote, at)
    if (end < 0) throw new LoadError('a text or a quoted name has no end', lineOf(from))
    // A quote that is doubled, or what stands after a backslash, belongs to the text.
    const isPair = script[end] === '\\' || (quote.length === 1 && script[end + 1] === quote)
    if (!isPair) return end + quote.length
    at = end + 2
  }
}

/** A function whose body is SQL itself holds semicolons: BEGIN ATOMIC … END. */
function createBody() {
  let depth = 0
  let before = ''
  return {
    isOpen: () => depth > 0,
    reset() {
      depth = 0
      before = ''
    },
    see(word: string) {
      if (word === 'atomic' && before === 'begin') depth = 1
      else if (depth > 0 && word === 'case') depth += 1
      else if (depth > 0 && word === 'end') depth -= 1
      before = word
    },
  }
}

function commentEnd(script: string, from: number, lineOf: (at: number) => number): number {
  const edge = /\/\*|\*\//g
  edge.lastIndex = from
  let depth = 0
  for (let found = edge.exec(script); found; found = edge.exec(script)) {
    depth += found[0] === '/*' ? 1 : -1
    if (depth === 0) return edge.lastIndex
  }
  throw new LoadError('a comment has no end', lineOf(from))
}

/** New dumps guard themselves with \restrict, which changes nothing here. */
function checkMeta(command: string, line: number): void {
  if (!/^\\(?:un)?restrict\b/.test(command)) throw new LoadError('a command of psql, which is no SQL', line)
}

const WRAPPING = /^(?:begin|start\s+transaction|commit|end)(?:\s+(?:work|transaction))?$/i
const CONTROL = /^(?:begin|start\s+transaction|commit|end|rollback|abort|prepare\s+transaction)\b(?!\s+(?:(?:work|transaction)\s+)?to\b)/i

function take(statement: ScriptStatement, statements: ScriptStatement[]): void {
  const { sql, line } = statement
  if (sql === '' || WRAPPING.test(sql)) return
  if (CONTROL.test(sql)) throw new LoadError('a script is one transaction; it cannot end or undo it', line)
  if (/^copy\b/i.test(sql)) throw new LoadError('COPY carries rows beside the statement, which a script here cannot; dump with --inserts, or load CSV', line)
  statements.push(statement)
}
