/** What a person would read of raw HTML: its text, without the tags and without what they hide. One pass. */

import { decodeString } from 'micromark-util-decode-string'

/** Elements whose content is no text of the page. */
const SILENT = new Set(['script', 'style', 'template', 'iframe', 'noscript', 'noframes', 'noembed', 'object', 'svg', 'math', 'audio', 'video', 'canvas', 'select', 'title', 'xmp'])
/** Elements that stand inside a line: where they end, no blank stands. */
const IN_LINE = new Set(['a', 'abbr', 'b', 'bdi', 'bdo', 'cite', 'code', 'del', 'dfn', 'em', 'font', 'i', 'ins', 'kbd', 'mark', 'q', 's', 'samp', 'small', 'span', 'strong', 'sub', 'sup', 'tt', 'u', 'var', 'wbr'])
const VOID = new Set(['area', 'base', 'br', 'col', 'embed', 'hr', 'img', 'input', 'link', 'meta', 'source', 'track', 'wbr'])
const HIDING = /\shidden(?:[\s=/>]|$)|display\s*:\s*none|visibility\s*:\s*hidden|(?:font-size|opacity)\s*:\s*0(?![.\d]*[1-9])/i
const TAG_NAME = /<(\/?)([a-z][^\s/>]*)/iy
/** Everything else that opens with an angle bracket and where it ends (HTML §13.2.5; CommonMark §4.6). */
const MARKUP = [['<!--', '-->'], ['<![CDATA[', ']]>'], ['<?', '?>'], ['<!', '>']] as const

export interface HtmlText {
  readonly text: string
  /** The element that hides what follows, when the fragment ends inside one. */
  readonly hiddenBy?: string
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
      const close = hiddenUntil(html.slice(tag.end), tag.hides)
      if (close === undefined) return { text: decoded(text), hiddenBy: tag.hides }
      at = tag.end + close
    }
  }
  return { text: decoded(text) }
}

/** @returns how much of the fragment the element `name`, open before it, still covers; undefined: all of it. */
export function hiddenUntil(html: string, name: string): number | undefined {
  let depth = 1
  const tags = new RegExp(`<(/?)${name.replace(/[^a-z0-9-]/g, '.')}(?=[\\s/>])[^>]*>?`, 'gi')
  for (const match of html.matchAll(tags)) {
    depth += match[1] === '/' ? -1 : 1
    if (depth === 0) return match.index + match[0].length
  }
  return undefined
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
  const isHiding = slash === '' && !VOID.has(name) && (SILENT.has(name) || HIDING.test(html.slice(open + head.length, end)))
  return { end, blank: IN_LINE.has(name) ? '' : ' ', ...(isHiding && { hides: name }) }
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

/** Character references once; backslashes are themselves here. */
const decoded = (text: string): string => decodeString(text.replace(/\\/g, '\\\\')).replace(/[\t\n\r ]+/g, ' ').trim()
