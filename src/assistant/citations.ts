/**
 * Sources that an answer may name: those that a call of this conversation returned. Whatever else looks like a
 * citation, a link or a picture is taken out, so that an answer neither claims a source nor carries data to one.
 */

import type { Fields } from '../kernel/schema.ts'
import { breakLinks, MAY_NAME_HOST, NAME } from './dead-links.ts'

/** Members of results that name where something stands. */
const PLACES: ReadonlySet<string> = new Set(['path', 'uri', 'url', 'final_url', 'finalUrl', 'file', 'source', 'id', 'address', 'document'])
const MAX_SOURCES = 5_000
/** A longer name is too long for any citation. */
const MAX_NAME = 6_000

export interface Sources {
  /** Takes what a call named and what it returned. */
  add(...values: readonly Fields[]): void
  /** Addresses that a person wrote may be written back. */
  addText(text: string): void
  /** The text without citations of what is not among the sources. */
  strip(text: string): string
}

export function createSources(): Sources {
  const known = new Set<string>()
  /** Addresses as they were spelled: a letter's case or an ending could carry something to whom one leads to. */
  const addresses = new Set<string>()
  const add = (name: string): void => {
    if (known.size >= MAX_SOURCES || name.length > MAX_NAME || name.trim() === '') return
    known.add(plain(name))
    if (SCHEME.test(name.trim())) addresses.add(address(name))
  }
  const walk = (value: unknown, key: string): void => {
    if (typeof value === 'string' && PLACES.has(key)) add(value)
    else if (Array.isArray(value)) for (const item of value) walk(item, key)
    else if (value !== null && typeof value === 'object') for (const [name, item] of Object.entries(value)) walk(item, name)
  }
  const isKnown = (name: string): boolean => known.has(plain(name))
  const mayReach = (target: string): boolean => isKnown(target) && (!SCHEME.test(plain(target)) || addresses.has(address(target)))
  return {
    add: (...values) => values.forEach((value) => void walk(value, '')),
    addText: (text) => text.match(URLS)?.forEach(add),
    strip: (text) => breakLinks(text
      .replace(CITATION, (whole, _kind, names: string) => {
        // A comma may be part of a name.
        if (isKnown(names)) return whole
        const kept = names.split(/[,;]\s*/).filter(isKnown)
        if (kept.length === 0) return ''
        return kept.length === names.split(/[,;]\s*/).length ? whole : `[source: ${kept.join(', ')}]`
      })
      .replace(LENTICULAR, (whole, name: string) => (isKnown(name) ? whole : ''))
      .replace(REFERENCE, (whole, target: string) => (mayReach(target) ? whole : ''))
      // A footnote's number cites nothing that was returned by that name.
      .replace(FOOTNOTE, '')
      .replace(AUTOLINK, (whole, target: string) => (mayReach(target) ? whole : ''))
      .replace(PICTURE, (whole, text: string, target: string) => (mayReach(target) ? whole : text))
      .replace(LINK, (whole, text: string, target: string, at: number, all: string) => (mayReach(target) || (CODE.test(all[at - 1] ?? '') && (NAME.test(target) || isArguments(whole))) ? whole : text))
      .replace(LOST_BLANKS, ''), mayReach),
  }
}

const SCHEME = /^[a-z][a-z0-9+.-]*:(?!\d+$)/i
/** The part of an address that is sent; a slash at its end is the same place. */
const address = (target: string): string => target.trim().replace(/#.*$/s, '').replace(/\/$/, '')

const URLS = /https?:\/\/[^\s<>"'`)\]]+/gi
// Names may hold brackets in pairs, such as `app/[id]/page.tsx`; where they do not pair, the first closes.
const CITATION = /[[(]\s*(sources?|cited?|citation|ref|doc|document|file)\s*[:=]\s*((?:[^[\]()]|\[[^[\]()]{0,200}\]|\([^[\]()]{0,200}\)){1,2000}(?=[\])])|[^\])]{1,2000})[\])]/gi
const LENTICULAR = /【([^】]{1,2000})】/g
const FOOTNOTE = /\[\^\d{1,3}\]|(?<![\w)\]`])\[\d{1,3}\](?![\w([`])/g
// A target is taken whole: one that could end anywhere would be tried with every end of what follows it.
const TARGET = String.raw`\(\s*(?!\s)<?((?:[^()\s>]|\([^()\s>]{0,200}\)){0,6000}(?=[\s>)])|[^)\s>]{0,6000}(?![^)\s>]))>?[^)]{0,2000}\)`
const PICTURE = new RegExp(String.raw`!\[([^\]]{0,2000})\]${TARGET}`, 'g')
const LINK = new RegExp(String.raw`\[([^\]]{0,2000})\]${TARGET}`, 'g')
/** What stands before an index of an array, and seldom before a link. */
const CODE = /[\w$\]]/
/** Several values between the brackets of a call; as a link, they are broken with all others. */
const isArguments = (link: string): boolean => {
  const given = link.slice(link.indexOf('](') + 2)
  return given.includes(',') && !MAY_NAME_HOST.test(given)
}
/** The definition of a link that is used by name (CommonMark §4.7). */
const REFERENCE = /^ {0,3}\[[^\]]{1,999}\]:\s*<?([^\s>]{1,4000})>?.*$/gm
const AUTOLINK = /<(https?:[^\s<>]{1,4000})>/gi
/** Before a sign that ends a clause. A run is entered at its first blank only, or a long one costs the square of its length. */
const LOST_BLANKS = /(?<![ \t])[ \t]+(?=[.,;:!?](?:\s|$))/g

/** Spelled alike: no case, no `./`, no quotes around, no place inside (`:12`, `#part`). */
const plain = (name: string): string =>
  name.trim().toLowerCase().replace(/^["'`]+|["'`]+$/g, '').replace(/^\.\//, '').replace(/#[^#]*$|:\d+(?:[-:]\d+)?$/, '').replace(/\/+$/, '')
