/** What a reader of Markdown gets: the page that a CommonMark and GFM renderer makes of it, with nothing held back. */

import type { Nodes } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { micromark } from 'micromark'
import { gfm, gfmHtml } from 'micromark-extension-gfm'
import { walk } from '../../src/services/content/markdown-walk.ts'

export interface MarkdownView {
  /** The visible text, blanks collapsed. */
  readonly text: string
  readonly hasHtml: boolean
  /** Sources of images, as a browser would be given them. */
  readonly images: readonly string[]
  /** Schemes of links and images, lower case; `relative` for targets without one. */
  readonly schemes: ReadonlySet<string>
  /** Text of code spans and code blocks that are shown. */
  readonly code: readonly string[]
}

const ENTITIES: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&amp;': '&' }
const plain = (html: string): string => html.replace(/&(?:lt|gt|quot|amp);/g, (entity) => ENTITIES[entity] ?? entity)

const schemeOf = (url: string): string => /^([a-z][a-z0-9+.-]*):/i.exec(url.replace(/[\p{White_Space}\p{Cc}\p{Cf}]/gu, ''))?.[1]?.toLowerCase() ?? 'relative'

/** A footnote that nothing refers to is not shown, nor is its code. */
function shownCode(tree: Nodes): readonly string[] {
  const entries = [...walk(tree)]
  const used = new Set(entries.flatMap(([node]) => (node.type === 'footnoteReference' ? [node.identifier] : [])))
  const found: string[] = []
  let unseenFrom = Number.POSITIVE_INFINITY
  for (const [node, level] of entries) {
    if (level <= unseenFrom) unseenFrom = node.type === 'footnoteDefinition' && !used.has(node.identifier) ? level : Number.POSITIVE_INFINITY
    if (unseenFrom !== Number.POSITIVE_INFINITY) continue
    if (node.type === 'code') found.push(`block ${node.value}`)
    if (node.type === 'inlineCode') found.push(`span ${node.value.replace(/\n/g, ' ')}`)
  }
  return found
}

export function viewMarkdown(md: string): MarkdownView {
  // Without the transforms, which would make links of text that the author escaped.
  const mdastExtensions = gfmFromMarkdown().map((extension) => ({ ...extension, transforms: [] }))
  const tree = fromMarkdown(md, { extensions: [gfm()], mdastExtensions })
  const nodes = [...walk(tree)].map(([node]) => node)
  const html = micromark(md, { extensions: [gfm()], htmlExtensions: [gfmHtml()], allowDangerousHtml: true, allowDangerousProtocol: true })
  const page = html.replace(/<a [^>]*data-footnote-backref[^>]*>[^<]*<\/a>/g, '')
  const targets = [...page.matchAll(/<(?:a|img)\b[^>]*?\s(?:href|src)="([^"]*)"/g)].map(([, url = '']) => plain(url))
  const defined = nodes.flatMap((node) => ('url' in node ? [node.url] : []))
  return {
    text: plain(page.replace(/<[^>]*>/g, ' ')).replace(/\s+/g, ' ').trim(),
    hasHtml: nodes.some(({ type }) => type === 'html'),
    images: [...page.matchAll(/<img\b[^>]*?\ssrc="([^"]*)"/gi)].map(([, url = '']) => plain(url)),
    schemes: new Set([...targets, ...defined].map(schemeOf)),
    code: shownCode(tree),
  }
}
