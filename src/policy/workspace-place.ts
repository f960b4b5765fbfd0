/** Where a path lies, as seen from one workspace, judged by its names alone. Asked for the path as written and for the real one. */

import { foldName as fold, holdsCredentials } from './credential-paths.ts'

/**
 * `own`: directories of this program, inside or outside. `credential`: contents that are never shown. `guarded`: read like
 * any other, never written, because another program would act on what stands there.
 */
export const PLACES = ['inside', 'outside', 'own', 'credential', 'guarded'] as const
export type Place = (typeof PLACES)[number]

export interface Ground {
  /** Names of the workspace from the root of the file system. */
  readonly root: readonly string[]
  /** The same for each directory of this program. */
  readonly own: readonly (readonly string[])[]
}

/** The project's own folder, wherever in the tree it lies. */
export const PROJECT_FOLDER = '.arrowhead'

/** Folders that version control, editors and other agents act upon. */
const GUARDED_FOLDERS: ReadonlySet<string> = new Set([
  '.git', '.hg', '.svn', '.husky', '.githooks', '.claude', '.codex', '.cursor', '.gemini', '.opencode', '.kilocode', '.roo', '.windsurf', '.continue',
  '.amazonq', '.aider', '.arcturn', '.vscode', '.idea', '.devcontainer', '.zed', '.fleet', '.direnv',
])

/** Files of the same kind, and those of which a plain folder becomes a repository. */
const GUARDED_FILES: ReadonlySet<string> = new Set([
  '.git', '.gitmodules', '.gitconfig', 'head', '.mcp.json', 'mcp.json', '.cursorrules', '.windsurfrules', '.clinerules', '.roomodes', '.aider.conf.yml',
  'agents.md', 'claude.md', 'claude.local.md', 'gemini.md', 'copilot-instructions.md', 'opencode.json', 'opencode.jsonc', '.pre-commit-config.yaml',
  'lefthook.yml', '.lefthook.yml', '.huskyrc', '.lintstagedrc',
])

/** Names of a path from the root of the file system, steps up taken; a relative one starts at the workspace. */
export function namesFrom(path: string, root: readonly string[]): readonly string[] {
  const names = path.startsWith('/') ? [] : [...root]
  for (const name of path.normalize('NFC').split('/')) {
    if (name === '..') names.pop()
    else if (name !== '' && name !== '.') names.push(name)
  }
  return names
}

const isAtOrBelow = (names: readonly string[], folder: readonly string[]): boolean =>
  folder.length <= names.length && folder.every((name, at) => name === names[at])

/** As the file systems that know no case see it. */
const folded = (names: readonly string[]): readonly string[] => names.map(fold)

export function placeOf(names: readonly string[], { root, own }: Ground): Place {
  const plain = folded(names)
  if (own.some((folder) => isAtOrBelow(plain, folded(folder)))) return 'own'
  if (!isAtOrBelow(names, root)) return 'outside'
  const below = names.slice(root.length)
  const plainBelow = plain.slice(root.length)
  if (plainBelow.includes(PROJECT_FOLDER)) return 'own'
  if (holdsCredentials(below)) return 'credential'
  const isGuarded = plainBelow.some((name) => GUARDED_FOLDERS.has(name)) || GUARDED_FILES.has(plainBelow.at(-1) ?? '')
  return isGuarded ? 'guarded' : 'inside'
}
