/** Which rule said no, or set a level, and where it stands: built in, in the config file with its line, or in another setting. */

import { realpathSync } from 'node:fs'
import { lineOf } from '../config/index.ts'
import type { LoadedSettings } from '../config/index.ts'
import { Refusal } from '../kernel/refusal.ts'
import { judgeCommand } from '../policy/commands/judge-command.ts'
import { READING_PROGRAMS } from '../policy/commands/reading-programs.ts'
import { ownPlace } from '../policy/own-places.ts'
import type { PathDenial } from '../policy/path-policy.ts'
import type { Security } from '../policy/security.ts'
import { isBelow, spellPath } from '../policy/spell-path.ts'
import type { CallExplained, LookedAt } from './explain-call.ts'
import { ownPlacesOf } from './local.ts'
import { setLevels } from './lowered-levels.ts'
import type { AppOptions } from './ports.ts'
import { securityOf } from './security.ts'

/** A config file as it was read. */
export interface ConfigText {
  readonly file: string
  readonly text: string
}

export interface Rule {
  /** The rule as it is written, or a sentence of ours. */
  readonly says: string
  /** The setting or list that it belongs to; undefined for what no setting says. */
  readonly list: string | undefined
  readonly from: 'built in' | 'config file' | 'environment' | '.env' | 'flag'
  readonly file?: string
  readonly line?: number
}

export interface Grounds {
  readonly loaded: LoadedSettings
  readonly options: AppOptions
  readonly config: ConfigText | undefined
}

const LISTS: Readonly<Record<PathDenial['list'], string | undefined>> = {
  allow: 'allow_paths', deny: 'denied_patterns', denyNames: 'denied_names', denyWrite: 'write_protected', credentials: undefined,
}

const builtIn = (says: string, list?: string): Rule => ({ says, list, from: 'built in' })

/** The rule behind a refusal. */
export function ruleOf(explained: CallExplained, grounds: Grounds): Rule | undefined {
  const { refused, tool } = explained
  if (!refused) return undefined
  const path = explained.paths.find((one) => one.refused === refused)
  if (path) return pathRule(path, grounds)
  switch (refused.code) {
    case 'component.unknown':
      return unknownRule(refused, grounds)
    case 'command.off':
      return inSection(grounds, ['default_shell_access'], 'commands are switched off')
    case 'command.denied':
      return commandRule(explained, grounds)
    case 'level.denied':
    case 'level.restricted':
      return levelRule(tool, explained, grounds) ?? builtIn(`the tool is declared ${explained.level?.declared}`)
    case 'access.denied':
      return ofSetting(grounds, 'authzPolicy', 'no grant covers what the call names')
    default:
      return builtIn('what the tool itself takes')
  }
}

/** Who set the level that a tool has; undefined where it is its own. */
export function levelRule(tool: string, { level }: CallExplained, grounds: Grounds): Rule | undefined {
  const set = setLevels(grounds.loaded.values).get(tool)
  if (!set || level === undefined || level.value !== set.level) return undefined
  const says = `${tool} is ${set.level}`
  return set.setBy === 'security.tool_overrides' ? inSection(grounds, ['tool_overrides', tool], says) : ofSetting(grounds, 'levelOverrides', says)
}

/** The allowed folder that a path lies in, as the configuration writes it. */
export function rootRule(path: string, grounds: Grounds): Rule | undefined {
  const security = securityOf(grounds.loaded.values, grounds.options)
  const found = rootOf(path.split('/').filter(Boolean), security)
  return found && inSection(grounds, ['allowed_roots', security.roots.indexOf(found.root)], found.root)
}

function pathRule({ path, use, refused }: LookedAt, grounds: Grounds): Rule {
  const security = securityOf(grounds.loaded.values, grounds.options)
  const names = spellPath(path, security.standpoint)
  if (names instanceof Refusal) return builtIn('what a path may be')
  if (refused?.code === 'path.outside') return inSection(grounds, ['allowed_roots'], security.roots.length === 0 ? 'no folder is allowed' : security.roots.join(', '))
  const kind = use === 'read' ? 'read' : 'write'
  if (ownPlace(names, kind, ownPlacesOf(grounds.loaded.values, grounds.options))) return builtIn('places of this program itself')
  if (refused?.reason === 'root') return builtIn('an allowed folder, those above it and links to it stay')
  for (const one of [names, realNames(names)]) {
    const found = one && rootOf(one, security)
    const no = found && security.paths.judge(found.below, kind, found.above)
    if (no) return listRule(no, grounds)
  }
  return builtIn(refused?.reason === 'links' ? 'a link that leads out of the allowed folders, or to nothing' : 'what stands there cannot be used')
}

function listRule({ rule, list }: PathDenial, grounds: Grounds): Rule {
  const key = LISTS[list]
  if (key === undefined) return builtIn(rule)
  const given = sectionOf(grounds)[key]
  const index = Array.isArray(given) ? given.indexOf(rule) : -1
  if (list === 'allow') return inSection(grounds, [key], rule)
  return index < 0 ? builtIn(rule, `security.${key}`) : inSection(grounds, [key, index], rule)
}

function commandRule({ args }: CallExplained, grounds: Grounds): Rule {
  const { command = '', args: words = [] } = args as { command?: string; args?: readonly string[] }
  const { commands } = securityOf(grounds.loaded.values, grounds.options)
  const verdict = judgeCommand(commands, [command, ...words])
  const why = verdict.ok ? '' : WHY_NOT[verdict.why] + (verdict.word > 0 ? `, word ${verdict.word}` : '')
  if (!verdict.ok && verdict.why === 'program' && Object.hasOwn(READING_PROGRAMS, command) && READING_PROGRAMS[command]?.neverRun !== undefined) return builtIn(`${command} is not run: ${READING_PROGRAMS[command].neverRun}`)
  const isOwn = Object.hasOwn((sectionOf(grounds)['commands'] ?? {}) as object, command)
  if (isOwn) return inSection(grounds, ['commands', command], why)
  return verdict.ok || verdict.why !== 'program' ? builtIn(why) : inSection(grounds, ['allowed_commands'], why)
}

const WHY_NOT = {
  empty: 'there is no command', 'too-long': 'the command is too long', character: 'it holds a control character', metacharacter: 'it holds a character that a shell would read',
  program: 'the program is not one of those that may run', subcommand: 'the program needs one of its listed subcommands first', option: 'the option is not one of those listed for the program',
  value: 'the value of an option is not of its type', operand: 'an operand is not of its type, or there are too many', mutation: 'the word changes something',
} as const

function unknownRule({ reason }: Refusal, grounds: Grounds): Rule {
  if (reason !== 'disabled') return ofSetting(grounds, 'profile', `the profile ${grounds.loaded.values.profile} has no such tool`)
  return grounds.loaded.values.disabledTools === undefined ? ofSetting(grounds, 'killSwitchFile', 'it is switched off in the kill switch file') : ofSetting(grounds, 'disabledTools', 'it is switched off')
}

const sectionOf = ({ loaded }: Grounds): Readonly<Record<string, unknown>> => loaded.values.security ?? {}

/** A member of the security section, where the config file has one; else what holds without it. */
function inSection(grounds: Grounds, path: readonly (string | number)[], says: string): Rule {
  const list = `security.${path.filter((name) => typeof name === 'string').join('.')}`
  return placed(grounds.config, ['security', ...path], { says, list }) ?? builtIn(says, list)
}

function ofSetting({ loaded, config }: Grounds, key: string, says: string): Rule {
  const source = loaded.sources.get(key)
  if (source === 'file') return placed(config, [key], { says, list: key }) ?? { says, list: key, from: 'config file' }
  return { says, list: key, from: source === undefined || source === 'default' || source === 'derived' ? 'built in' : source }
}

function placed(config: ConfigText | undefined, path: readonly (string | number)[], rule: Pick<Rule, 'says' | 'list'>): Rule | undefined {
  const line = config && lineOf(config.text, path)
  return config && line !== undefined ? { ...rule, from: 'config file', file: config.file, line } : undefined
}

/** The longest of the folders that the names lie below, as written or as it really is. */
export function rootOf(names: readonly string[], { roots }: Pick<Security, 'roots'>): Found | undefined {
  const folders = roots.map((root) => ({ root, written: root.split('/').filter(Boolean) })).sort((one, other) => other.written.length - one.written.length)
  for (const { root, written } of folders) {
    const above = [written, realNames(written) ?? written].find((one) => isBelow(names, one))
    if (above) return { root, above, below: names.slice(above.length) }
  }
  return undefined
}

interface Found {
  /** As the configuration has it, absolute. */
  readonly root: string
  readonly above: readonly string[]
  readonly below: readonly string[]
}

function realNames(names: readonly string[]): readonly string[] | undefined {
  try {
    return realpathSync(`/${names.filter((name) => name !== '.').join('/')}`).normalize('NFC').split('/').filter(Boolean)
  } catch {
    return undefined
  }
}
