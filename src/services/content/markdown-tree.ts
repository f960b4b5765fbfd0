/**
 * Rebuilds a Markdown tree from the kinds of nodes that are known to be safe; what is not listed does not come
 * through. References become inline links, so that no definition is left whose meaning a reader could not see.
 */

import type { Blockquote, Nodes, PhrasingContent, Root, RootContent } from 'mdast'
import { refusal } from '../../kernel/refusal.ts'
import { cleanText } from './clean-text.ts'
import { hiddenEnds, htmlText } from './markdown-html.ts'
import { imageTarget, linkTarget, oneLine } from './markdown-links.ts'
import { readNotes } from './markdown-notes.ts'
import type { Notes } from './markdown-notes.ts'
import { tidyText } from './markdown-tidy.ts'

export interface Rebuilt {
  readonly root: Root
  /** Nodes that were not taken over as they were. */
  readonly changes: number
}

interface Work extends Notes {
  readonly imageHosts: readonly string[]
  /** Characters that inlining references may still add. */
  budget: number
  changes: number
  /** Kinds of emphasis around the node. */
  readonly around: Set<string>
}

interface Options {
  readonly imageHosts: readonly string[]
  readonly maxBytes: number
}

/** @param root no deeper than the stack can bear. @throws Refusal `content.too-large` where references multiply a text. */
export function rebuildTree(root: Root, { imageHosts, maxBytes }: Options): Rebuilt {
  const work: Work = { ...readNotes(root), imageHosts, budget: maxBytes, changes: 0, around: new Set() }
  return { root: { type: 'root', children: rebuildChildren(root, work) }, changes: work.changes }
}

type Parent = Extract<Nodes, { readonly children: unknown }>

/** Children of a parent, rebuilt; what raw HTML around them hides from a reader is left out with it. */
function rebuildChildren<Child extends RootContent>(parent: Parent & { readonly children: readonly RootContent[] }, work: Work): Child[] {
  const out: RootContent[] = []
  const { children } = parent
  const hiddenEnd = hiddenEnds(() => children.map((child) => (child.type === 'html' ? child.value : undefined)))
  for (let index = 0; index < children.length; index += 1) {
    const child = children[index]
    if (child === undefined) continue
    if (child.type !== 'html') {
      out.push(...rebuild(child, work))
      continue
    }
    work.changes += 1
    const { text, hiddenBy } = htmlText(child.value)
    if (text !== '') out.push(...visible(text, parent))
    if (hiddenBy !== undefined) index = hiddenEnd(index, hiddenBy)
  }
  return tidyText(out, parent.type) as Child[]
}

const FLOW: ReadonlySet<string> = new Set(['root', 'blockquote', 'listItem', 'footnoteDefinition'])
const visible = (value: string, parent: Parent): RootContent[] => {
  const text: PhrasingContent = { type: 'text', value: cleanText(value) }
  return FLOW.has(parent.type) ? [{ type: 'paragraph', children: [text] }] : [text]
}

function rebuild(node: RootContent, work: Work): RootContent[] {
  switch (node.type) {
    case 'text':
      return [{ type: 'text', value: cleanText(node.value) }]
    case 'inlineCode':
      // A line end inside is shown as a blank (CommonMark §6.1), and one line cannot be taken for a block.
      return [{ type: 'inlineCode', value: node.value.replace(/\r?\n|\r/g, ' ') }]
    case 'code':
      return [{ type: 'code', lang: shortInfo(node.lang), meta: shortInfo(node.meta), value: node.value }]
    case 'break':
    case 'thematicBreak':
      return [{ type: node.type }]
    case 'emphasis':
    case 'strong':
    case 'delete':
    case 'paragraph':
    case 'heading':
      return rebuildText(node, work)
    case 'image':
    case 'imageReference':
    case 'link':
    case 'linkReference':
      return rebuildTarget(node, work)
    case 'footnoteReference':
    case 'footnoteDefinition':
      return rebuildFootnote(node, work)
    default:
      return rebuildBlock(node, work)
  }
}

function rebuildBlock(node: RootContent, work: Work): RootContent[] {
  switch (node.type) {
    case 'blockquote':
      return rebuildQuote(node, work)
    case 'list': {
      const { ordered = null, start = null, spread = null } = node
      return [{ type: 'list', ordered, start, spread, children: rebuildChildren(node, work) }]
    }
    case 'listItem':
      return [{ type: 'listItem', spread: node.spread ?? null, checked: node.checked ?? null, children: rebuildChildren(node, work) }]
    case 'table':
      return [{ type: 'table', align: node.align ?? null, children: rebuildChildren(node, work) }]
    case 'tableRow':
    case 'tableCell':
      return [{ type: node.type, children: rebuildChildren(node, work) } as RootContent]
    default:
      work.changes += 1
      return []
  }
}

/** A quotation of nothing that may stay is not shown as an empty one. */
function rebuildQuote(node: Blockquote, work: Work): RootContent[] {
  const children = rebuildChildren<Blockquote['children'][number]>(node, work)
  return children.length === 0 && node.children.length > 0 ? [] : [{ type: 'blockquote', children }]
}

type TextParent = Extract<RootContent, { readonly type: 'emphasis' | 'strong' | 'delete' | 'paragraph' | 'heading' }>

function rebuildText(node: TextParent, work: Work): RootContent[] {
  // Emphasis inside its own kind says nothing more, and its marks beside the outer ones may be read as others.
  const isRepeated = work.around.has(node.type)
  work.around.add(node.type)
  const children = rebuildChildren<PhrasingContent>(node, work)
  if (isRepeated) return children
  work.around.delete(node.type)
  if (node.type === 'heading') return [{ type: 'heading', depth: node.depth, children }]
  if (children.length > 0) return [{ type: node.type, children }]
  work.changes += 1
  return []
}

type Targeted = Extract<RootContent, { readonly type: 'image' | 'imageReference' | 'link' | 'linkReference' }>

/** Links to what may be linked, images from hosts that may serve them; of the rest the text stays. */
function rebuildTarget(node: Targeted, work: Work): RootContent[] {
  const source = 'identifier' in node ? work.targets.get(node.identifier) : node
  const title = source?.title ? oneLine(source.title) : null
  const isImage = node.type === 'image' || node.type === 'imageReference'
  const url = source && (isImage ? imageTarget(source.url, work.imageHosts) : linkTarget(source.url))
  if ('identifier' in node) spend(work, (source?.url.length ?? 0) + (title?.length ?? 0))
  if (url === undefined || 'identifier' in node) work.changes += 1
  const alt = isImage ? oneLine(node.alt ?? '') : ''
  if (isImage) return url === undefined ? alt === '' ? [] : [{ type: 'text', value: alt }] : [{ type: 'image', url, title, alt }]
  const children = rebuildChildren<PhrasingContent>(node, work)
  return url === undefined ? children : [{ type: 'link', url, title, children }]
}

const spend = (work: Work, characters: number): void => {
  work.budget -= characters
  if (work.budget < 0) throw refusal('content.too-large', 'its references repeat too much')
}

type Footnote = Extract<RootContent, { readonly type: 'footnoteReference' | 'footnoteDefinition' }>

function rebuildFootnote(node: Footnote, work: Work): RootContent[] {
  const label = work.labels.get(node.identifier)
  if (label === undefined) {
    work.changes += 1
    return []
  }
  if (node.type === 'footnoteReference') return [{ type: 'footnoteReference', identifier: label, label }]
  return [{ type: 'footnoteDefinition', identifier: label, label, children: rebuildChildren(node, work) }]
}

const shortInfo = (info: string | null | undefined): string | null => (info ? oneLine(info).slice(0, 200) || null : null)
