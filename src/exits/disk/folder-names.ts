/** Names as a folder holds them: which ones a path can say, how they are spelled, and in which order they come. */

import type { Dirent } from 'node:fs'
import { Refusal } from '../../kernel/refusal.ts'
import { FOLDER_MARK, parseRelativePath } from '../../policy/relative-path.ts'

/** Names that are the same in every normal form and hold nothing that needs a closer look. */
const PLAIN_NAME = /^\w[\w .-]{0,80}$/

export interface Name {
  /** In normal form C. */
  readonly name: string
  /** As the folder spells it. */
  readonly spelled: string
  readonly isFolder: boolean
}

/** Code units put characters beyond U+FFFF before some that come earlier; UTF-8 bytes do not. */
const compare = (one: string, other: string): number =>
  /[\ud800-\udfff]/.test(one + other) ? Buffer.compare(Buffer.from(one), Buffer.from(other)) : Number(one > other) - Number(one < other)

/** A folder stands where the paths below it do. */
export const byPath = (one: Name, other: Name): number =>
  compare(one.isFolder ? `${one.name}/` : one.name, other.isFolder ? `${other.name}/` : other.name)

const isSpeakable = (spelled: string, name: string): boolean => {
  const parsed = parseRelativePath(name)
  if (parsed instanceof Refusal || parsed.length !== 1) return false
  return spelled === name || spelled === name.normalize('NFD')
}

/** @returns undefined for what is neither a file nor a folder, and for a name that no path can say. */
export const nameOf = (entry: Dirent): Name | undefined => {
  const isFolder = entry.isDirectory()
  if (!isFolder && !entry.isFile()) return undefined
  const spelled = entry.name
  if (PLAIN_NAME.test(spelled)) return { name: spelled, spelled, isFolder }
  const name = spelled.normalize('NFC')
  return isSpeakable(spelled, name) ? { name, spelled, isFolder } : undefined
}

/** The folders of a prefix, and what the names in the last one start with. @throws Refusal `path.invalid`. */
export const splitPrefix = (prefix: string): { readonly above: readonly string[]; readonly start: string } => {
  if (prefix === '') return { above: [], start: '' }
  const parsed = parseRelativePath(prefix)
  if (parsed instanceof Refusal) throw parsed
  const names = parsed.filter((name) => name !== FOLDER_MARK)
  const isWhole = names.length === 0 || parsed.at(-1) === FOLDER_MARK
  return isWhole ? { above: names, start: '' } : { above: names.slice(0, -1), start: names.at(-1) ?? '' }
}

/** Two spellings of one name are one file: the one in normal form C, as the jail looks for it first. */
export const keep = (found: Map<string, Name>, entry: Name | undefined, wants: (name: Name) => boolean): void => {
  if (entry === undefined || !wants(entry)) return
  if (entry.name === entry.spelled || !found.has(entry.name)) found.set(entry.name, entry)
}
