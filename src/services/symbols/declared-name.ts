/** The name that a captured node says: bare, without quotes, pointers and scopes. */

import type { Node } from 'web-tree-sitter'

export interface DeclaredName {
  readonly name: string
  /** Zero-based. */
  readonly row: number
  readonly index: number
  /** The scope that was written before the name. */
  readonly owner: string
  /** Whether it is the name of something that is called. */
  readonly isCallable: boolean
}

const NAME_CHARS = 200
const QUOTES = /^["'`](?=.+["'`]$)|(?<=^["'`].+)["'`]$/gs

export function declaredName(captured: Node): DeclaredName {
  let [node, isCallable]: [Node, boolean] = [captured, false]
  // Declarators of C are built around their name, the outermost part first.
  while (node.type.endsWith('_declarator')) {
    const inner = node.childForFieldName('declarator') ?? node.namedChild(0)
    if (inner === null) break
    if (node.type === 'function_declarator') isCallable = true
    else if (/^(?:pointer|reference|array)_/.test(node.type)) isCallable = false
    node = inner
  }
  const owners: string[] = []
  while (node.type === 'qualified_identifier') {
    const [scope, inner] = [node.childForFieldName('scope'), node.childForFieldName('name')]
    if (inner === null) break
    if (scope) owners.push(scope.text)
    node = inner
  }
  // A specialisation is called as what it specialises.
  if (/^template_(?:function|method|type)$/.test(node.type)) node = node.childForFieldName('name') ?? node
  const parts = node.type === 'operator_cast' ? [castName(node)] : node.type === 'scope_resolution' ? node.text.split('::') : [node.text]
  const name = (parts.at(-1) ?? '').replace(node.type === 'variable_name' ? /^\$/ : QUOTES, '').replace(/\s+/g, ' ').slice(0, NAME_CHARS)
  return { name, row: node.startPosition.row, index: node.startIndex, owner: [...owners, ...parts.slice(0, -1)].join('.').slice(0, NAME_CHARS), isCallable }
}

/** `operator const char*`, without the parameters and what follows them. */
function castName(cast: Node): string {
  let part: Node | null = cast
  while (part !== null && part.type !== 'abstract_function_declarator') part = part.childForFieldName('declarator') ?? part.namedChildren.find((child) => child?.type.startsWith('abstract_')) ?? null
  const parameters = part?.childForFieldName('parameters')
  return parameters ? cast.text.slice(0, parameters.startIndex - cast.startIndex).trim() : cast.text
}
