/** Finds the ground that a workspace server stands on: the folder without links, what in it is not the peer's, and the rules that hold. */

import { lstatSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { ConfigError } from '../config/index.ts'
import { openJail } from '../exits/disk/jail.ts'
import { Refusal } from '../kernel/refusal.ts'
import { PROJECT_FOLDER, namesFrom, placeOf } from '../policy/workspace-place.ts'
import type { Ground } from '../policy/workspace-place.ts'
import { inherit, parseMode, parseRules } from '../policy/workspace-rules.ts'
import type { Rule } from '../policy/workspace-rules.ts'

export interface WorkspaceGround {
  /** The workspace, without links. */
  readonly cwd: string
  readonly ground: Ground
  /** Folders of this program that lie within, from the workspace. */
  readonly carvedOut: readonly string[]
}

/** @throws ConfigError when there is no such folder, or when all of it is this program's own. */
export function findGround(folder: string, own: readonly string[]): WorkspaceGround {
  const cwd = realFolder(folder)
  const places = [...new Set(own.flatMap((one) => [resolve(one), realOf(resolve(one))]))]
  const ground: Ground = { root: namesFrom(cwd, []), own: places.map((one) => namesFrom(one, [])) }
  if (placeOf(ground.root, ground) === 'own') throw new ConfigError(['--cwd: the folder belongs to this program itself'])
  const carvedOut = [...new Set(places.map((one) => relative(cwd, one)))].filter((one) => one !== '' && !one.startsWith('..'))
  return { cwd, ground, carvedOut }
}

function realFolder(folder: string): string {
  try {
    const real = realpathSync(folder)
    if (statSync(real).isDirectory()) return real.normalize('NFC')
  } catch {
    // Said below, like a file in its place.
  }
  throw new ConfigError(['--cwd: there is no such folder'])
}

/** Of a folder that is not there yet, the path as it is written. */
function realOf(folder: string): string {
  try {
    return realpathSync(folder)
  } catch {
    return folder
  }
}

const RULES_FILE = 'config.json'
const LIMIT = { maxBytes: 262_144 }

/**
 * The rules of the user and of the workspace, narrowed to it. Of the workspace's own file nothing else is read.
 * @param home folder of the user's configuration.
 * @throws ConfigError for a file that is there and cannot be held to, and for a mode that approves everything.
 */
export async function loadRules({ cwd, ground }: WorkspaceGround, home: string): Promise<readonly Rule[]> {
  const texts = [['the user’s config.json', textOf(join(home, RULES_FILE))], [`${PROJECT_FOLDER}/${RULES_FILE}`, await projectText(cwd)]] as const
  return texts.flatMap(([where, text]) => (text === undefined ? [] : inherit(rulesIn(where, text), ground)))
}

function rulesIn(where: string, text: string): readonly Rule[] {
  const raw = parseJson(text)
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) throw new ConfigError([`${where}: must be a JSON object`])
  refuseModeIn(where, raw as Readonly<Record<string, unknown>>)
  const parsed = parseRules((raw as Readonly<Record<string, unknown>>)['permissions'])
  if (!parsed.ok) throw new ConfigError(parsed.problems.map((problem) => `${where}: permissions: ${problem}`))
  return parsed.rules
}

export const APPROVES_ALL = 'a mode that approves everything is refused: nobody watches this connection, and it would hand every tool to a program that you did not write. Use plan, default or acceptEdits; rules that name paths inside --cwd widen them'

/** A mode in a file never applies. One that approves everything is said, so that nobody believes it holds. */
export function refuseModeIn(where: string, members: Readonly<Record<string, unknown>>): void {
  for (const [key, value] of Object.entries(members)) {
    if (!isModeKey(key) || typeof value !== 'string') continue
    const word = parseMode(value)
    if (!word.ok && word.why === 'approves-all') throw new ConfigError([`${where}: ${APPROVES_ALL}`])
  }
}

export const isModeKey = (key: string): boolean => /^(?:arrowhead_?)?permission[_-]?mode$/i.test(key)

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (isMissing(error)) return undefined
    throw new ConfigError(['the user’s config.json: cannot be read'])
  }
}

const isMissing = (error: unknown): boolean => ['ENOENT', 'ENOTDIR'].includes(String((error as { code?: unknown }).code))

/** A file that is there and is not read would be a rule less, so it stops the start. */
async function projectText(cwd: string): Promise<string | undefined> {
  try {
    lstatSync(join(cwd, PROJECT_FOLDER, RULES_FILE))
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
  const jail = await openJail(cwd)
  try {
    return await jail.readText(`${PROJECT_FOLDER}/${RULES_FILE}`, LIMIT)
  } catch (error) {
    if (error instanceof Refusal) throw new ConfigError([`${PROJECT_FOLDER}/${RULES_FILE}: is there, and is no plain file of at most ${LIMIT.maxBytes} bytes within the workspace`])
    throw error
  } finally {
    jail.close()
  }
}
