/**
 * Writes footnotes so that a reader without footnotes makes nothing worse of them. CommonMark and the specification of
 * GFM know none: there `[^1]: x` defines the target of a link, and lines behind it are text of a paragraph.
 */

import type { FootnoteDefinition } from 'mdast'
import type { Handle } from 'mdast-util-to-markdown'
import { decodeString } from 'micromark-util-decode-string'
import { linkTarget } from './markdown-links.ts'

/** What a definition would take for its target (CommonMark §4.7, widely: brackets need not pair). */
const DESTINATION = /^(?:<([^>\n]*)>|([^\t\n ]+))/
/** Behind a target stands the end of the line or a title; anything else makes the line a plain paragraph. */
const ENDS_DEFINITION = /^[ \t]*(?:\n|$|(?<=[ \t])["'(])/
/** A footnote that begins another line of the first paragraph. */
const NEXT_DEFINITION = /^[ \t]*\[\^[^\]\n]*\]:/m

/** @param body of a footnote, as it is written. @returns whether a definition of a link to what may not be linked begins it. */
function definesRefused(body: string): boolean {
  const [spelled, literal, raw = ''] = DESTINATION.exec(body) ?? []
  return spelled !== undefined && ENDS_DEFINITION.test(body.slice(spelled.length)) && linkTarget(decodeString(literal ?? raw)) === undefined
}

/** Only the lines of a first paragraph are no indented code to a reader without footnotes. */
const isSafeBeside = ({ children: [first] }: FootnoteDefinition, body: string): boolean =>
  first?.type === 'paragraph' && !definesRefused(body) && !NEXT_DEFINITION.test(body.split('\n\n', 1)[0] ?? '')

/**
 * The body stands beside the label where that is safe, and otherwise behind a blank line: no definition reaches over
 * one (CommonMark §4.7), and what follows, indented by four, is code to a reader without footnotes.
 */
export const footnoteDefinition: Handle = (node: FootnoteDefinition, _parent, state, info) => {
  const tracker = state.createTracker(info)
  const exit = state.enter('footnoteDefinition')
  const label = tracker.move(`[^${state.associationId(node)}]:`)
  tracker.shift(4)
  const body = state.containerFlow(node, tracker.current())
  exit()
  // An empty one would take what stands on the next line for its target.
  if (body === '') return `${label}\n`
  const isBeside = isSafeBeside(node, body)
  const lines = state.indentLines(body, (line, index, isBlank) => (isBlank || (isBeside && index === 0) ? line : `    ${line}`))
  return `${label}${isBeside ? ' ' : '\n\n'}${lines}`
}
