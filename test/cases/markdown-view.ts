/**
 * What a reader of Markdown gets: the page that a CommonMark and GFM renderer makes of it, with nothing held back.
 * What must not be there is looked for in the pages of renderers without footnotes too: the specifications know none.
 */

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
  /** Schemes of links and images, lower case; without one, `host` for targets that name a host and `relative` for the others. */
  readonly schemes: ReadonlySet<string>
  /** Text of code spans and code blocks that are shown. */
  readonly code: readonly string[]
}

const ENTITIES: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&amp;': '&' }
const plain = (html: string): string => html.replace(/&(?:lt|gt|quot|amp);/g, (entity) => ENTITIES[entity] ?? entity)

function schemeOf(url: string): string {
  const target = url.replace(/[\p{White_Space}\p{Cc}\p{Cf}]/gu, '')
  return /^([a-z][a-z0-9+.-]*):/i.exec(target)?.[1]?.toLowerCase() ?? (/^[/\\]{2}/.test(target) ? 'host' : 'relative')
}

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

const NO_FOOTNOTES = { disable: { null: ['gfmFootnoteDefinition', 'gfmFootnoteCall', 'gfmPotentialFootnoteCall'] } }
/** GitHub's renderer first, then its specification's, then CommonMark's. */
const DIALECTS = [[gfm()], [gfm(), NO_FOOTNOTES], []]

interface Page {
  readonly tree: Nodes
  readonly nodes: readonly Nodes[]
  readonly html: string
}

function render(md: string, extensions: (typeof DIALECTS)[number]): Page {
  // Without the transforms, which would make links of text that the author escaped.
  const mdastExtensions = gfmFromMarkdown().map((extension) => ({ ...extension, transforms: [] }))
  const tree = fromMarkdown(md, { extensions, mdastExtensions })
  const html = micromark(md, { extensions, htmlExtensions: [gfmHtml()], allowDangerousHtml: true, allowDangerousProtocol: true })
  return { tree, nodes: [...walk(tree)].map(([node]) => node), html: html.replace(/<a [^>]*data-footnote-backref[^>]*>[^<]*<\/a>/g, '') }
}

const sourcesIn = (html: string, pattern: RegExp): readonly string[] => [...html.matchAll(pattern)].map(([, url = '']) => plain(url))

/** Scheme of every link and image that is shown or defined. */
const schemesIn = ({ nodes, html }: Page): readonly string[] =>
  [...sourcesIn(html, /<(?:a|img)\b[^>]*?\s(?:href|src)="([^"]*)"/g), ...nodes.flatMap((node) => ('url' in node ? [node.url] : []))].map(schemeOf)

export function viewMarkdown(md: string): MarkdownView {
  const pages = DIALECTS.map((extensions) => render(md, extensions))
  const [page = render(md, [gfm()])] = pages
  return {
    text: plain(page.html.replace(/<[^>]*>/g, ' ')).replace(/\s+/g, ' ').trim(),
    hasHtml: pages.some(({ nodes }) => nodes.some(({ type }) => type === 'html')),
    images: [...new Set(pages.flatMap(({ html }) => sourcesIn(html, /<img\b[^>]*?\ssrc="([^"]*)"/gi)))],
    schemes: new Set(pages.flatMap(schemesIn)),
    code: shownCode(page.tree),
  }
}
