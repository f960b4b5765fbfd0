/** Definitions and footnotes of a Markdown tree: what they mean, and which of them a reader ever sees. */

import type { Definition, Nodes } from 'mdast'
import { walk } from './markdown-walk.ts'

export interface Notes {
  /** What a reference means, by folded label; the first definition counts (CommonMark §4.7). */
  readonly targets: ReadonlyMap<string, Definition>
  /** The label that each footnote gets which something refers to, by folded label. */
  readonly labels: ReadonlyMap<string, string>
}

const SIMPLE = /^[a-z0-9][a-z0-9_-]{0,60}$/i

export function readNotes(root: Nodes): Notes {
  const targets = new Map<string, Definition>()
  const footnotes = new Set<string>()
  const used = new Set<string>()
  for (const [node] of walk(root)) {
    if (node.type === 'definition' && !targets.has(node.identifier)) targets.set(node.identifier, node)
    else if (node.type === 'footnoteDefinition') footnotes.add(node.identifier)
    else if (node.type === 'footnoteReference') used.add(node.identifier)
  }
  return { targets, labels: labelled(used, footnotes) }
}

function labelled(used: ReadonlySet<string>, footnotes: ReadonlySet<string>): ReadonlyMap<string, string> {
  const labels = new Map<string, string>()
  let count = 0
  for (const identifier of footnotes) {
    if (!used.has(identifier)) continue
    let label = SIMPLE.test(identifier) ? identifier : ''
    while (label === '' || (label !== identifier && footnotes.has(label))) label = `note-${(count += 1)}`
    labels.set(identifier, label)
  }
  return labels
}
