/** Definitions and footnotes of a Markdown tree: what they mean, and which of them a reader ever sees. */

import type { Definition, FootnoteDefinition, Nodes } from 'mdast'
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
  const footnotes = new Map<string, FootnoteDefinition>()
  for (const [node] of walk(root)) {
    if (node.type === 'definition' && !targets.has(node.identifier)) targets.set(node.identifier, node)
    if (node.type === 'footnoteDefinition' && !footnotes.has(node.identifier)) footnotes.set(node.identifier, node)
  }
  return { targets, labels: labelled(seen(root, footnotes), footnotes) }
}

/** Footnotes that the text refers to, and those that they refer to in turn. */
function seen(root: Nodes, footnotes: ReadonlyMap<string, FootnoteDefinition>): ReadonlySet<string> {
  const found = new Set<string>()
  const open: Nodes[] = [root]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const identifier of referencesIn(next)) {
      const footnote = footnotes.get(identifier)
      if (footnote === undefined || found.has(identifier)) continue
      found.add(identifier)
      open.push(footnote)
    }
  }
  return found
}

/** References below `root` that stand in no other footnote. */
function* referencesIn(root: Nodes): Generator<string> {
  let inside = Number.POSITIVE_INFINITY
  for (const [node, level] of walk(root)) {
    if (level <= inside) inside = Number.POSITIVE_INFINITY
    if (node.type === 'footnoteDefinition' && node !== root && level < inside) inside = level
    else if (node.type === 'footnoteReference' && level < inside) yield node.identifier
  }
}

function labelled(used: ReadonlySet<string>, footnotes: ReadonlyMap<string, FootnoteDefinition>): ReadonlyMap<string, string> {
  const labels = new Map<string, string>()
  let count = 0
  for (const identifier of footnotes.keys()) {
    if (!used.has(identifier)) continue
    let label = SIMPLE.test(identifier) ? identifier : ''
    while (label === '' || (label !== identifier && footnotes.has(label))) label = `note-${(count += 1)}`
    labels.set(identifier, label)
  }
  return labels
}
