/**
 * The walls around an assistant that nobody watches: rules by name, the real place behind every link, and the files that a
 * pattern reaches. Each wall is asked of every call; none of them grants anything.
 */

import type { Jail } from '../exits/disk/jail.ts'
import { Refusal, refusal } from '../kernel/refusal.ts'
import { foldName } from '../policy/credential-paths.ts'
import { namesFrom } from '../policy/workspace-place.ts'
import type { Ground } from '../policy/workspace-place.ts'
import { judge, mutates } from '../policy/workspace-rules.ts'
import type { Denied, Mode, Rule } from '../policy/workspace-rules.ts'

export interface ConfinementParts {
  readonly mode: Mode
  /** Those that `inherit` left. */
  readonly rules: readonly Rule[]
  readonly ground: Ground
  readonly jail: Jail
}

export interface Confinement {
  /** @param path as the call names it; undefined where it names none. @returns why the call does not run. */
  denies(tool: string, path: string | undefined): Promise<Denied | undefined>
  /** Whether a pattern of files stays below the folder that it starts at. */
  staysBelow(pattern: string): boolean
  /** Of files that a call reached, those that it may show. */
  shown(tool: string, paths: readonly string[]): Promise<readonly string[]>
}

export function createConfinement({ mode, rules, ground, jail }: ConfinementParts): Confinement {
  const denies: Confinement['denies'] = async (tool, path) => {
    if (path === undefined) return judge({ mode, tool, paths: [] }, rules, ground)
    const spelled = namesFrom(path, ground.root)
    const byName = judge({ mode, tool, paths: [spelled] }, rules, ground)
    if (byName !== undefined) return byName
    const real = await realNames(jail, spelled.slice(ground.root.length), mutates(tool))
    if (real === undefined) return 'outside'
    return judge({ mode, tool, paths: [spelled, [...ground.root, ...real]] }, rules, ground) ?? bareWall(jail, real, mutates(tool))
  }
  return {
    denies,
    staysBelow: (pattern) => !/^[/\\~]|^[A-Za-z]:|(?:^|[/\\{,])\.\.(?:[/\\},]|$)|[\0\\]/.test(pattern),
    async shown(tool, paths) {
      const kept: string[] = []
      for (const path of paths) if ((await denies(tool, path)) === undefined) kept.push(path)
      return kept
    },
  }
}

/**
 * Where names below the root really lead, and where they would: a part that is not there yet is taken as it is written.
 * @returns undefined where a link leads to nothing inside, and for a write to a link itself.
 */
async function realNames(jail: Jail, names: readonly string[], isWrite: boolean): Promise<readonly string[] | undefined> {
  for (let depth = names.length; depth > 0; depth -= 1) {
    const part = names.slice(0, depth)
    const found = await look(jail, part)
    if (found === 'hidden') return undefined
    if (found === 'missing') continue
    if (isWrite && depth === names.length && (await isLinkItself(jail, part, found))) return undefined
    return [...found, ...names.slice(depth)]
  }
  return names
}

/**
 * A folder of plain files that git takes for a repository: nothing is written there, and its `config` is as closed as
 * any other that may name a password.
 */
async function bareWall(jail: Jail, names: readonly string[], isWrite: boolean): Promise<Denied | undefined> {
  if (!isWrite && foldName(names.at(-1) ?? '') !== 'config') return undefined
  for (let depth = names.length - 1; depth >= 0; depth -= 1) {
    const folder = names.slice(0, depth)
    const kinds = await Promise.all(['HEAD', 'objects', 'refs'].map((name) => kindAt(jail, [...folder, name].join('/'))))
    if (kinds.every((kind) => kind !== undefined)) return isWrite ? 'guarded' : 'credential'
  }
  return undefined
}

async function kindAt(jail: Jail, path: string): Promise<string | undefined> {
  try {
    return (await jail.look(path))?.kind
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}

/** Whether the last name is a link, and not only a folder on the way to it. */
async function isLinkItself(jail: Jail, part: readonly string[], found: readonly string[]): Promise<boolean> {
  if (found.join('/') === part.join('/')) return false
  const folder = part.length > 1 ? await look(jail, part.slice(0, -1)) : []
  return typeof folder === 'string' || [...folder, part.at(-1)].join('/') !== found.join('/')
}

async function look(jail: Jail, part: readonly string[]): Promise<readonly string[] | 'missing' | 'hidden'> {
  try {
    return (await jail.stat(part.join('/'))).names
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (error.code !== 'file.unavailable') return 'hidden'
  }
  return (await isListed(jail, part)) ? 'hidden' : 'missing'
}

/** What is listed and cannot be looked at is a link to nowhere inside, or no file and no folder. */
async function isListed(jail: Jail, part: readonly string[]): Promise<boolean> {
  try {
    const entries = await jail.list(part.length > 1 ? part.slice(0, -1).join('/') : '.')
    return entries.some(({ name }) => name === part.at(-1))
  } catch (error) {
    if (error instanceof Refusal) return error.code !== 'file.unavailable'
    throw error
  }
}

const HINTS: Readonly<Partial<Record<Denied, string>>> = {
  'no-path': 'name a path; "." is the workspace', outside: 'only the workspace can be reached', tool: 'this tool is not confined, so it does not run here',
  mode: 'the permission mode has no writes', unmatched: 'the permission mode does not grant it, and nobody can be asked',
}

/** A denial as the model hears it. What is withheld is told from nothing else. */
export const deniedBy = (denied: Denied): Refusal => refusal(denied === 'no-path' ? 'path.invalid' : 'access.denied', HINTS[denied], denied)
