/** Walks Markdown trees without recursion, so that a deep one can be measured before anything recurses into it. */

import type { Nodes } from 'mdast'

/** Every node below and including `root` with its level, parents first, in document order. */
export function* walk(root: Nodes): Generator<readonly [node: Nodes, level: number]> {
  const rest: (readonly [Nodes, number])[] = [[root, 0]]
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    yield next
    const [node, level] = next
    if (!('children' in node)) continue
    for (let index = node.children.length - 1; index >= 0; index -= 1) {
      const child = node.children[index]
      if (child !== undefined) rest.push([child, level + 1])
    }
  }
}

/** What the author wrote as code, in order. */
export const codeOf = (root: Nodes): readonly string[] => {
  const found: string[] = []
  for (const [node] of walk(root)) if (node.type === 'code' || node.type === 'inlineCode') found.push(`${node.type} ${node.value}`)
  return found
}
