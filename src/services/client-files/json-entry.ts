/**
 * One member of a JSON file, set or taken out as a text edit: comments, order, line ends and everything that
 * belongs to others stay the bytes that they were. A new member goes to the end, after the last comment.
 */

import { createScanner, findNodeAtLocation, getNodeValue, parseTree, printParseErrorCode, type Node, type ParseError } from 'jsonc-parser'
import type { Dialect } from './clients.ts'
import { ClientFileError } from './file-error.ts'

type Path = readonly [string, ...string[]]
type JsonDialect = Exclude<Dialect, 'toml'>

/** @throws ClientFileError where the text is not of this dialect, with the line. */
export function parseJson(text: string, dialect: JsonDialect): Node {
  const errors: ParseError[] = []
  const root = treeOf(text, errors, dialect)
  const [first] = errors
  if (first) throw new ClientFileError(`it is not valid JSON: ${printParseErrorCode(first.error)} in line ${text.slice(0, first.offset).split('\n').length}`)
  if (root?.type !== 'object') throw new ClientFileError('it is JSON, but not one object')
  return root
}

function treeOf(text: string, errors: ParseError[], dialect: JsonDialect): Node | undefined {
  try {
    return parseTree(text, errors, { disallowComments: dialect === 'json', allowTrailingComma: dialect === 'jsonc' })
  } catch (error) {
    if (error instanceof RangeError) throw new ClientFileError('it is nested too deeply to be read')
    throw error
  }
}

export const jsonValue = (text: string, dialect: JsonDialect): unknown => getNodeValue(parseJson(text, dialect))

/** Adds the member, with the objects around it that are missing, or gives it another value. */
export function setJson(text: string, path: Path, value: unknown, dialect: JsonDialect): string {
  const root = parseJson(text, dialect)
  const style = styleOf(text)
  let holder = root
  for (const [depth, key] of path.entries()) {
    const member = memberOf(holder, key)
    if (!member) return insert(text, holder, { key, value: nested(path.slice(depth + 1), value), style })
    const [, held] = member.children ?? []
    if (!held) throw new ClientFileError('a member has no value')
    if (depth === path.length - 1) return replaced(text, held, shown(value, style, indentAt(text, member.offset)))
    if (held.type !== 'object') throw new ClientFileError(`${JSON.stringify(key)} is not an object`)
    holder = held
  }
  return text
}

/** Takes the member out. What is not there leaves the text as it was. */
export function dropJson(text: string, path: Path, dialect: JsonDialect): string {
  const root = parseJson(text, dialect)
  const holder = findNodeAtLocation(root, path.slice(0, -1))
  const member = holder?.type === 'object' ? memberOf(holder, path.at(-1) ?? '') : undefined
  if (!holder || !member) return text
  const members = holder.children ?? []
  const before = members[members.indexOf(member) - 1]
  const own = commaAfter(text, endOf(member), endOf(holder))
  const comma = own ?? (before && commaAfter(text, endOf(before), member.offset))
  const cut = text.slice(0, lineStart(text, member.offset)) + blank(text.slice(lineStart(text, member.offset), endOf(member))) + text.slice(endOf(member))
  const bare = comma === undefined ? cut : `${cut.slice(0, comma)}\0${cut.slice(comma + 1)}`
  return bare.replaceAll('\0', '')
}

/** Positions stay what they were until every cut is made. */
const blank = (text: string): string => '\0'.repeat(text.length)

interface Style {
  readonly unit: string
  readonly eol: string
}

const styleOf = (text: string): Style => ({ unit: /^(\t| {1,8})(?=\S)/m.exec(text)?.[1] ?? '  ', eol: text.includes('\r\n') ? '\r\n' : '\n' })

/** @throws ClientFileError where a key is there twice: readers do not agree which counts. */
function memberOf(holder: Node, key: string): Node | undefined {
  const found = (holder.children ?? []).filter(({ children }) => children?.[0]?.value === key)
  if (found.length > 1) throw new ClientFileError(`it has ${JSON.stringify(key)} twice in one object`)
  return found[0]
}

const nested = (keys: readonly string[], value: unknown): unknown => keys.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value)

const endOf = ({ offset, length }: Node): number => offset + length

const replaced = (text: string, node: Node, by: string): string => text.slice(0, node.offset) + by + text.slice(endOf(node))

interface Member {
  readonly key: string
  readonly value: unknown
  readonly style: Style
}

function insert(text: string, holder: Node, { key, value, style }: Member): string {
  const close = endOf(holder) - 1
  const last = holder.children?.at(-1)
  const tail = last ? endOf(last) : holder.offset + 1
  const comma = last && commaAfter(text, tail, close)
  const rest = text.slice(tail, close)
  const at = tail + rest.trimEnd().length
  const isInline = last !== undefined && !text.slice(holder.offset, close).includes('\n')
  const outer = indentAt(text, holder.offset)
  const inner = last && startsLine(text, last.offset) ? indentAt(text, last.offset) : outer + style.unit
  const member = `${JSON.stringify(key)}: ${isInline ? JSON.stringify(value) : shown(value, style, inner)}`
  const glue = last && comma === undefined ? ',' : ''
  const lead = isInline ? ' ' : style.eol + inner
  const after = (last !== undefined || text.slice(at, close).includes('\n') ? '' : style.eol + outer) + text.slice(at)
  return text.slice(0, tail) + glue + text.slice(tail, at) + lead + member + (comma === undefined ? '' : ',') + after
}

const shown = (value: unknown, { unit, eol }: Style, indent: string): string => JSON.stringify(value, null, unit).replaceAll('\n', eol + indent)

/** Where the next comma is, if nothing but comments and blanks is before it. */
function commaAfter(text: string, from: number, to: number): number | undefined {
  const scanner = createScanner(text, true)
  scanner.setPosition(from)
  scanner.scan()
  const at = scanner.getTokenOffset()
  return text[at] === ',' && at < to ? at : undefined
}

const indentAt = (text: string, at: number): string => /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', at - 1) + 1))?.[0] ?? ''

const startsLine = (text: string, at: number): boolean => text.slice(text.lastIndexOf('\n', at - 1) + 1, at).trim() === ''

/** The line break before a member that starts its line, otherwise the blanks before it. */
function lineStart(text: string, at: number): number {
  if (!startsLine(text, at)) return at - (/[ \t]*$/.exec(text.slice(0, at))?.[0].length ?? 0)
  const start = text.lastIndexOf('\n', at - 1)
  if (start < 0) return at
  return text[start - 1] === '\r' ? start - 1 : start
}
