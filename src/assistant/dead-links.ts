/**
 * The last word about links in an answer: whatever a renderer of Markdown (CommonMark 0.31 §4.7, §6.3–§6.6)
 * would reach for, and may not, gets a blank where its syntax breaks. Blanks are all that this adds, so nothing that it
 * passed can become a link by what it does to the rest.
 */

/** Whether a target may stay, as it is spelled. */
export type MayReach = (target: string) => boolean

/** Between brackets of its own, or up to a blank; a title says nothing to whom it leads to. */
const targetOf = (sign: string): string => String.raw`(?:<([^<>\n]{0,6000})>|((?:${sign}|\([^\s<>()]{0,200}\)){0,6000}))`
const TARGET = targetOf(String.raw`[^\s<>()]`)
const TITLE = String.raw`(?:\s{1,9}(?:"[^"\n]{0,2000}"|'[^'\n]{0,2000}'))?`
/** Links and pictures; what is no whole one leads nowhere, or somewhere that this cannot tell. */
const INLINE = new RegExp(String.raw`\]\((?=\s{0,9}${TARGET}${TITLE}\s{0,9}\)|)`, 'g')
/** Definitions, also in quotes and lists, where a line may begin with a mark. A target ends before the next one, or a run of them would be read to its end from each. */
const DEFINITION = new RegExp(String.raw`\]:(?=[\s>]{0,99}(?![\s>])${targetOf(String.raw`(?!\]:)[^\s<>()]`)}(?=\s|$)|)`, 'g')
/** A name alone, as in `handlers[name](event)`, is no address. */
export const NAME = /^[\w$]{0,40}$/
/** What may name a host, also behind references and escapes; a colon behind a bracket is common in code. */
export const MAY_NAME_HOST = /[:\\&]|\/\//
/** Addresses between brackets of their own, also such as a browser reads without slashes; generic types of other languages have none. */
const AUTOLINK = /<(?=(?:[a-z][a-z0-9+.-]{1,31}:\/\/|(?:https?|wss?|ftp|file|data|mailto|javascript|vbscript):(?!:)))(?=([^\0- <>]{1,6000})>|)/gi
/** Tags that have attributes, load what they hold, or change where the rest leads. */
const TAG = /<(?=(?:style|script|base|meta|link)\b|[a-z][^<>]{0,6000}=)/gi

export const breakLinks = (text: string, mayReach: MayReach): string =>
  text
    .replace(INLINE, (open, pointed?: string, bare?: string) => {
      const target = pointed ?? bare
      return target !== undefined && (NAME.test(target) || mayReach(target)) ? open : '] ('
    })
    .replace(DEFINITION, (open, pointed?: string, bare?: string) => {
      const target = pointed ?? bare
      return target !== undefined && (!MAY_NAME_HOST.test(target) || mayReach(target)) ? open : '] :'
    })
    .replace(AUTOLINK, (open, target?: string) => (target !== undefined && mayReach(target) ? open : '< '))
    .replace(TAG, '< ')
