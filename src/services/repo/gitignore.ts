/**
 * `.gitignore` files, read by ourselves: no git is ever started on a tree that somebody else wrote. The rules are those
 * of gitignore(5): the last pattern that matches decides, nearer files come after farther ones, and nothing below an
 * ignored folder can be taken back, because a walk does not enter it.
 */

import { refusal } from '../../kernel/refusal.ts'
import { type Effort, matchesName, matchesPath, parsePart, type Part } from './glob.ts'

interface Pattern {
  readonly parts: readonly Part[]
  /** Matched from the folder of its file; otherwise against the last name alone. */
  readonly isAnchored: boolean
  readonly takesBack: boolean
  readonly foldersOnly: boolean
}

/** The patterns of one file, the last first. */
export type IgnoreFile = readonly Pattern[]

/** Lines read of one file; what stands after them is not looked at. */
const MAX_LINES = 5_000
const MAX_LINE_CHARS = 1_000
/** Steps that one walk may take to compare names with patterns: so many, and so many more with each name. Honest files take a few for each pattern. */
const [SPARE_STEPS, NAME_STEPS] = [10_000_000, 10_000]

/** @param text of one `.gitignore`. */
export function parseGitignore(text: string): IgnoreFile {
  const lines = text.replace(/^\ufeff/, '').split('\n', MAX_LINES)
  return lines.map((line) => parseLine(line.endsWith('\r') ? line.slice(0, -1) : line)).filter((pattern) => pattern !== undefined).reverse()
}

function parseLine(line: string): Pattern | undefined {
  if (line === '' || line.startsWith('#') || line.length > MAX_LINE_CHARS) return undefined
  const takesBack = line.startsWith('!')
  const written = withoutTrailingSpaces(takesBack ? line.slice(1) : line)
  const foldersOnly = written.endsWith('/')
  const pattern = foldersOnly ? written.slice(0, -1) : written
  if (pattern === '') return undefined
  const names = pattern.split('/')
  const isAnchored = names.length > 1
  if (names[0] === '') names.shift()
  // An empty name between two slashes is in no path.
  if (names.includes('')) return undefined
  const parts = names.map((name) => parsePart(name.normalize('NFC')))
  return parts.includes(undefined) ? undefined : { parts: parts as Part[], isAnchored, takesBack, foldersOnly }
}

/** Spaces at the end count only where a backslash stands before them. */
function withoutTrailingSpaces(line: string): string {
  let end = line.length
  while (end > 0 && line[end - 1] === ' ') end -= 1
  if (end === line.length) return line
  let slashes = 0
  while (line[end - 1 - slashes] === '\\') slashes += 1
  return line.slice(0, slashes % 2 === 1 ? end + 1 : end)
}

/** What one walk has left for comparing names with patterns, whoever wrote them. */
export class IgnoreEffort implements Effort {
  steps = 0
  #allowed = SPARE_STEPS

  /** To be called with each name. */
  begin(): void {
    this.#allowed += NAME_STEPS
  }

  /** @throws Refusal `file.too-large` */
  check(): void {
    if (this.steps > this.#allowed) throw refusal('file.too-large', 'its .gitignore files take too long to be applied')
  }
}

interface Entry {
  readonly names: readonly string[]
  readonly isFolder: boolean
}

const matches = ({ parts, isAnchored, foldersOnly }: Pattern, { names, isFolder }: Entry, effort: IgnoreEffort): boolean => {
  if (foldersOnly && !isFolder) return false
  effort.check()
  const [first] = parts
  if (!isAnchored) return first !== undefined && matchesName(first, names.at(-1) ?? '', effort)
  return matchesPath(parts, names, effort)
}

/** The files of the folders on the way to one folder. */
export interface IgnoreRules {
  /** Of an entry right in the folder whose names from the root are `above`. @throws Refusal `file.too-large` where the effort is spent. */
  ignores(above: readonly string[], name: string, isFolder: boolean): boolean
}

interface Level {
  /** How many names the folder is below the root. */
  readonly depth: number
  readonly file: IgnoreFile
}

/** @param levels of the root and the folders below it, down to the one that is looked at. */
export const ignoreRules = (levels: readonly Level[], effort: IgnoreEffort): IgnoreRules => {
  const inner = levels.filter(({ file }) => file.length > 0).reverse()
  return {
    ignores(above, name, isFolder) {
      effort.begin()
      for (const { depth, file } of inner) {
        const names = [...above.slice(depth), name]
        const decides = file.find((pattern) => matches(pattern, { names, isFolder }, effort))
        if (decides !== undefined) return !decides.takesBack
      }
      return false
    },
  }
}
