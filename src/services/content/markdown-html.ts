/** What a person would read of raw HTML: its text, without the tags and without what they hide. One pass. */

import { withReferences } from './character-references.ts'
import { hidesContent } from './markdown-hiding.ts'

/** Elements whose content is no text of the page. */
const SILENT = new Set(['script', 'style', 'template', 'iframe', 'noscript', 'noframes', 'noembed', 'object', 'svg', 'math', 'audio', 'video', 'canvas', 'select', 'title', 'xmp', 'dialog', 'datalist'])
/** Elements that stand inside a line: where they end, no blank stands. */
const IN_LINE = new Set(['a', 'abbr', 'b', 'bdi', 'bdo', 'cite', 'code', 'del', 'dfn', 'em', 'font', 'i', 'ins', 'kbd', 'mark', 'q', 's', 'samp', 'small', 'span', 'strong', 'sub', 'sup', 'tt', 'u', 'var', 'wbr'])
const VOID = new Set(['area', 'base', 'br', 'col', 'embed', 'hr', 'img', 'input', 'link', 'meta', 'source', 'track', 'wbr'])
const TAG_NAME = /<(\/?)([a-z][^\s/>]*)/iy
const TAGS = /<(\/?)([a-z][^\s/<>]*)(?=[\s/>]|$)/gi
/** Everything else that opens with an angle bracket and where it ends (HTML §13.2.5; CommonMark §4.6). */
const MARKUP = [['<!--', '-->'], ['<![CDATA[', ']]>'], ['<?', '?>'], ['<!', '>']] as const

export interface Hiding {
  readonly name: string
  /** Elements of that name that are open where the fragment ends, the hiding one among them. */
  readonly depth: number
}

export interface HtmlText {
  readonly text: string
  /** The element that hides what follows, when the fragment ends inside one. */
  readonly hiddenBy?: Hiding
}

/** @param html a fragment; it may begin and end anywhere. */
export function htmlText(html: string): HtmlText {
  let text = ''
  for (let at = 0; at < html.length; ) {
    const open = html.indexOf('<', at)
    if (open === -1) return { text: decoded(text + html.slice(at)) }
    text += html.slice(at, open)
    const tag = readTag(html, open)
    if (tag === undefined) {
      text += '<'
      at = open + 1
    } else if (tag.hides === undefined) {
      text += tag.blank
      at = tag.end
    } else {
      const { end, depth } = hiddenUntil(html, tag.end, tag.hides)
      if (depth > 0) return { text: decoded(text), hiddenBy: { name: tag.hides, depth } }
      at = end
    }
  }
  return { text: decoded(text) }
}

/** Where the element `name`, open at `from`, ends, and how many of its kind are open there: none, or the fragment is over. */
function hiddenUntil(html: string, from: number, name: string): { readonly end: number; readonly depth: number } {
  let depth = 1
  for (const { 0: head, index, 1: slash, 2: spelled = '' } of html.slice(from).matchAll(TAGS)) {
    if (spelled.toLowerCase() !== name) continue
    depth += slash === '/' ? -1 : 1
    if (depth === 0) return { end: after(html, '>', from + index + head.length), depth }
  }
  return { end: html.length, depth }
}

export type HiddenEnd = (start: number, hiding: Hiding) => number

/**
 * Says which of the fragments closes an element that is open where fragment `start` ends; when none does, nothing after
 * it counts as hidden, and the answer is `start`. Every fragment is read once, when the first question comes.
 * @param fragments of one parent in order; what is no HTML is undefined.
 */
export function hiddenEnds(fragments: () => readonly (string | undefined)[]): HiddenEnd {
  let levels: ReadonlyMap<string, Levels> | undefined
  return (start, { name, depth }) => {
    levels ??= readLevels(fragments())
    const found = levels.get(name)
    const reached = found?.reached.get((found.after.get(start) ?? 0) - depth) ?? []
    return reached[firstAbove(reached, start)] ?? start
  }
}

/** How many more tags of one name were opened than closed. */
interface Levels {
  /** Behind a fragment that holds such a tag. */
  readonly after: Map<number, number>
  /** The fragments in which a level is reached by a tag that closes, in order. */
  readonly reached: Map<number, number[]>
}

function readLevels(fragments: readonly (string | undefined)[]): ReadonlyMap<string, Levels> {
  const all = new Map<string, Levels & { level: number }>()
  fragments.forEach((html, index) => {
    for (const [, slash, spelled = ''] of html?.matchAll(TAGS) ?? []) {
      const name = spelled.toLowerCase()
      const found = all.get(name) ?? { level: 0, after: new Map<number, number>(), reached: new Map<number, number[]>() }
      all.set(name, found)
      found.level += slash === '/' ? -1 : 1
      found.after.set(index, found.level)
      if (slash !== '/') continue
      const reached = found.reached.get(found.level)
      if (reached === undefined) found.reached.set(found.level, [index])
      else reached.push(index)
    }
  })
  return all
}

/** Where in an ascending list the first number above `bound` stands. */
function firstAbove(list: readonly number[], bound: number): number {
  let [from, to] = [0, list.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if ((list[middle] ?? 0) > bound) to = middle
    else from = middle + 1
  }
  return from
}

interface Tag {
  readonly end: number
  /** What separates the text before from the text behind. */
  readonly blank: string
  readonly hides?: string
}

function readTag(html: string, open: number): Tag | undefined {
  for (const [start, stop] of MARKUP) {
    if (html.startsWith(start, open)) return { end: after(html, stop, open + start.length), blank: '' }
  }
  TAG_NAME.lastIndex = open
  const [head, slash, spelled = ''] = TAG_NAME.exec(html) ?? []
  if (head === undefined) return undefined
  const end = tagEnd(html, open + head.length)
  const name = spelled.toLowerCase()
  const hides = slash === '' && !VOID.has(name) && (SILENT.has(name) || hidesContent(name, html.slice(open + head.length, end)))
  return { end, blank: IN_LINE.has(name) ? '' : ' ', ...(hides && { hides: name }) }
}

const after = (html: string, stop: string, from: number): number => {
  const at = html.indexOf(stop, from)
  return at === -1 ? html.length : at + stop.length
}

/** Behind the tag's closing bracket; brackets inside quoted attributes do not count. An unfinished tag takes the rest. */
function tagEnd(html: string, from: number): number {
  let quote = ''
  for (let at = from; at < html.length; at += 1) {
    const character = html[at] ?? ''
    if (quote !== '') quote = character === quote ? '' : quote
    else if (character === '>') return at + 1
    else if (character === '"' || character === "'") quote = character
  }
  return html.length
}

const decoded = (text: string): string => withReferences(text).replace(/[\t\n\r ]+/g, ' ').trim()
