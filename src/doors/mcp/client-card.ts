/** What a client says of itself: plain where it has the form that the protocol gives it. Anything else is the library's to judge. */

import { isObject } from '../../kernel/json-object.ts'
import type { Params } from './message.ts'

const NOTHING: Params = Object.freeze({})

const isTextIfAny = (value: unknown): boolean => value === undefined || typeof value === 'string'
const isFlagIfAny = (value: unknown): boolean => value === undefined || typeof value === 'boolean'
const holdsRecords = (part: Params): boolean => Object.values(part).every(isObject)

/** Capabilities that plain clients declare (2026-07-28 and 2025-11-25, schema: ClientCapabilities). */
const PLAIN: Readonly<Record<string, (part: Params) => boolean>> = {
  experimental: holdsRecords,
  extensions: holdsRecords,
  sampling: holdsRecords,
  roots: ({ listChanged }) => isFlagIfAny(listChanged),
  elicitation: ({ form = NOTHING, url = NOTHING }) => isObject(form) && isObject(url) && isFlagIfAny(form['applyDefaults']),
}

export function areCapabilitiesPlain(declared: unknown): boolean {
  if (!isObject(declared)) return false
  for (const name of Object.keys(declared)) {
    const part = declared[name]
    if (!Object.hasOwn(PLAIN, name) || !isObject(part) || PLAIN[name]?.(part) !== true) return false
  }
  return true
}

/** Name and version, and whatever else an `Implementation` may have. */
export function isInfoPlain(info: unknown): boolean {
  if (!isObject(info) || typeof info['name'] !== 'string' || typeof info['version'] !== 'string') return false
  const { title, websiteUrl, description, icons } = info
  return [title, websiteUrl, description].every(isTextIfAny) && (icons === undefined || (Array.isArray(icons) && icons.every(isIconPlain)))
}

const THEMES: readonly unknown[] = [undefined, 'light', 'dark']

function isIconPlain(icon: unknown): boolean {
  if (!isObject(icon)) return false
  const { src, mimeType, sizes = [], theme } = icon
  return typeof src === 'string' && isTextIfAny(mimeType) && Array.isArray(sizes) && sizes.every((size) => typeof size === 'string') && THEMES.includes(theme)
}
