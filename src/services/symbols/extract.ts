/** Declarations of one parsed file: what the query of its language names, in order, with containers and comments. */

import type { Node, Query } from 'web-tree-sitter'
import type { Declaration, SymbolKind } from '../../kernel/ports/symbols.ts'
import { declaredName, type DeclaredName } from './declared-name.ts'
import type { Grammar } from './grammars/grammar.ts'
import { TextLines } from './text-lines.ts'

type Kind = SymbolKind | 'scope'

interface Found {
  readonly kind: Kind
  readonly name: DeclaredName
  readonly start: number
  readonly end: number
  readonly startRow: number
  readonly endRow: number
  readonly owner: string
  /** Where the body begins; negative where there is none. */
  readonly body: number
}

/** Kinds that what stands in them is named after. */
const CONTAINERS: ReadonlySet<Kind> = new Set(['class', 'constructor', 'enum', 'function', 'interface', 'method', 'module', 'scope', 'struct', 'trait', 'union'])
/** Functions in these are methods. */
const HOLDERS: ReadonlySet<Kind> = new Set(['class', 'enum', 'interface', 'scope', 'struct', 'trait', 'union'])
/** What another capture of the same name says better. */
const VAGUE: ReadonlySet<Kind> = new Set(['variable', 'type'])

export function extract(root: Node, query: Query, grammar: Grammar, text: string, isLate: () => boolean): readonly Declaration[] {
  const lines = new TextLines(text)
  const found = new Map<number, Found>()
  for (const { captures } of query.matches(root, { progressCallback: isLate })) {
    const [name, owner, whole] = [captures.find((one) => one.name === 'name'), captures.find((one) => one.name === 'owner'), captures.find((one) => one.name !== 'name' && one.name !== 'owner')]
    if (name === undefined || whole === undefined) continue
    const one = foundOf(whole.name as Kind, whole.node, nameOf(name.node, whole.node, grammar), owner?.node.text ?? '', grammar)
    if (one.name.name === '') continue
    const known = found.get(one.name.index)
    if (known === undefined || VAGUE.has(known.kind)) found.set(one.name.index, one)
  }
  return placed([...found.values()], lines, grammar)
}

function nameOf(name: Node, whole: Node, { implied = {} }: Grammar): DeclaredName {
  const declared = declaredName(name)
  const given = name.isNamed ? undefined : implied[whole.type]
  return given === undefined ? declared : { ...declared, name: given }
}

function foundOf(captured: Kind, node: Node, name: DeclaredName, owner: string, { wrappers = [] }: Grammar): Found {
  let outer = node
  for (let { parent } = outer; parent !== null && wrappers.includes(parent.type); parent = parent.parent) outer = parent
  const { row, column } = outer.endPosition
  const startRow = outer.startPosition.row
  const body = node.childForFieldName('body') ?? (node.childForFieldName('value') ?? node.childForFieldName('right'))?.childForFieldName('body')
  return {
    kind: kindOf(captured, node, name), name, owner: owner || name.owner,
    start: node.startIndex, end: outer.endIndex, startRow, endRow: column === 0 && row > startRow ? row - 1 : row, body: body?.startIndex ?? -1,
  }
}

function kindOf(captured: Kind, node: Node, { name, isCallable }: DeclaredName): Kind {
  if (captured === 'method' && name === 'constructor' && node.type === 'method_definition') return 'constructor'
  if (captured === 'variable' && isCallable) return 'function'
  if (captured === 'field' && isCallable) return 'method'
  return captured
}

function placed(found: readonly Found[], lines: TextLines, grammar: Grammar): readonly Declaration[] {
  const declarations: Declaration[] = []
  const around: Found[] = []
  for (const one of [...found].sort((a, b) => a.start - b.start || b.end - a.end)) {
    while (around.length > 0 && (around.at(-1)?.end ?? 0) <= one.start) around.pop()
    if (one.kind !== 'scope') declarations.push(declarationOf(one, around, lines, grammar))
    if (CONTAINERS.has(one.kind)) around.push(one)
  }
  return declarations
}

/** A field that a constructor's parameter declares is the class's. */
function holdersOf({ kind }: Found, around: readonly Found[]): readonly Found[] {
  const last = around.at(-1)?.kind
  const isParameter = (kind === 'field' || kind === 'property') && (last === 'constructor' || last === 'method')
  return isParameter ? around.slice(0, -1) : around
}

function declarationOf(one: Found, around: readonly Found[], lines: TextLines, grammar: Grammar): Declaration {
  const isMethod = one.kind === 'function' && (one.owner !== '' || HOLDERS.has(around.at(-1)?.kind ?? 'file'))
  const startRow = lines.attributesFrom(one.startRow, grammar)
  const isFirst = lines.isFirst(one.start)
  const names = [...holdersOf(one, around).map(({ name }) => name.name), ...(one.owner === '' ? [] : [one.owner])]
  return {
    name: one.name.name,
    kind: isMethod ? 'method' : (one.kind as SymbolKind),
    container: names.join('.').slice(0, 300),
    signature: lines.signature(one.start, one.body > one.start ? one.body : lines.lineEnd(one.start)),
    doc: (grammar.docstring === true && one.body >= 0 && lines.docstringAt(one.body)) || (isFirst ? lines.commentAbove(startRow, grammar) : ''),
    startLine: startRow + 1,
    endLine: one.endRow + 1,
    nameLine: one.name.row + 1,
  }
}
