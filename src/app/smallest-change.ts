/**
 * The smallest change of the configuration that turns a call's verdict, found by trying: a change is named only after the
 * call was looked at again with it. What no setting opens has none.
 */

import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { LoadedSettings, Settings } from '../config/index.ts'
import { Refusal } from '../kernel/refusal.ts'
import type { RefusalCode } from '../kernel/refusal.ts'
import { READING_PROGRAMS } from '../policy/commands/reading-programs.ts'
import type { Security } from '../policy/security.ts'
import { spellPath } from '../policy/spell-path.ts'
import { PROFILES } from '../tools/catalog.ts'
import { explainCall } from './explain-call.ts'
import type { CallExplained, LookedAt, ToolCall } from './explain-call.ts'
import { ASSISTANT } from './gates.ts'
import { testRules } from './policy-examples.ts'
import type { AppOptions } from './ports.ts'
import { rootOf } from './rule-place.ts'
import { securityOf } from './security.ts'

/** One member of the configuration: set to a value, or a list with one thing more or less. */
export interface Change {
  readonly do: 'set' | 'add' | 'remove'
  /** Keys from the outermost. */
  readonly path: readonly string[]
  readonly value: unknown
}

export interface Turned {
  readonly to: 'allow' | 'deny' | 'not ask'
  /** All of them are needed. */
  readonly changes: readonly Change[]
  /** What would still stand in the way that is no rule, such as a missing folder. */
  readonly afterwards: RefusalCode | undefined
  /** Where one of them is set now, if that holds above the config file. */
  readonly setIn: 'flag' | 'environment' | undefined
  /** Examples of the operator's own rules that say otherwise: they must be changed too. */
  readonly breaks: readonly string[]
}

/** Changes in a row, where one alone only leads to the next refusal. */
const MAX_CHANGES = 4

export interface Trial {
  readonly loaded: LoadedSettings
  readonly options: AppOptions
  readonly call: ToolCall
}

/** What would turn the verdict, the way that a person is most likely to want first. */
export async function smallestChanges(explained: CallExplained, trial: Trial): Promise<readonly Turned[]> {
  const from = withoutExamples(trial.loaded.values)
  const turned = (to: Turned['to'], changes: readonly Change[], afterwards?: RefusalCode): Turned =>
    ({ to, changes, afterwards, setIn: sourceAbove(changes, trial.loaded), breaks: brokenBy(changes.reduce(changed, trial.loaded.values), trial.options) })
  if (explained.verdict === 'refused') {
    const opened = await opening(explained, from, trial)
    return opened ? [turned('allow', opened.changes, opened.afterwards)] : []
  }
  const unasked = explained.verdict === 'asks' ? await first(trial, from, [override(trial, 'SAFE')], (now) => now.verdict === 'runs') : undefined
  const denied = await first(trial, from, denials(explained, trial), (now) => now.verdict === 'refused')
  return [...(unasked ? [turned('not ask', [unasked.change])] : []), ...(denied ? [turned('deny', [denied.change])] : [])]
}

/** Examples are no part of the policy, and a change that they speak against can be looked at all the same. */
const withoutExamples = (settings: Settings): Settings => (settings.security?.['rules'] === undefined ? settings : { ...settings, security: { ...settings.security, rules: [] } })

const sourceAbove = (changes: readonly Change[], { sources }: LoadedSettings): Turned['setIn'] =>
  changes.map(({ path: [key = ''] }) => sources.get(key)).find((source) => source === 'flag' || source === 'environment')

const brokenBy = (settings: Settings, options: AppOptions): readonly string[] =>
  testRules(settings, options).flatMap(({ from, rule, problems }) => (from === 'config file' ? problems.map((problem) => `rule ${rule} of security.rules then ${problem}`) : []))

/** Refusals that a rule says, not the world. */
const isRule = (refused: Refusal | undefined): boolean => refused !== undefined && (/^(?:path|level|command)\./.test(refused.code) || refused.code === 'access.denied' || refused.code === 'component.unknown')

async function opening(start: CallExplained, from: Settings, trial: Trial): Promise<Pick<Turned, 'changes' | 'afterwards'> | undefined> {
  let [explained, settings] = [start, from]
  const changes: Change[] = []
  while (isRule(explained.refused) && changes.length < MAX_CHANGES) {
    const before = explained
    const step = await first(trial, settings, openings(before, settings, trial), (now) => now.verdict !== 'refused' || now.refused?.code !== before.refused?.code || now.paths.length > before.paths.length)
    if (!step) return undefined
    changes.push(step.change)
    ;({ explained, settings } = step)
  }
  return isRule(explained.refused) || changes.length === 0 ? undefined : { changes, afterwards: explained.refused?.code }
}

interface Step {
  readonly change: Change
  readonly explained: CallExplained
  readonly settings: Settings
}

/** The first of the changes after which the call is as wanted. */
async function first({ options, call }: Trial, from: Settings, changes: readonly Change[], isWanted: (now: CallExplained) => boolean): Promise<Step | undefined> {
  for (const change of changes) {
    const settings = changed(from, change)
    const explained = await explainCall(settings, options, call).catch(() => undefined)
    if (explained && isWanted(explained)) return { change, explained, settings }
  }
  return undefined
}

/** What could lift a refusal, the narrowest first. */
function openings({ refused, paths, tool, args, ungranted }: CallExplained, settings: Settings, trial: Trial): readonly Change[] {
  const security = securityOf(settings, trial.options)
  const path = paths.find((one) => one.refused === refused)
  switch (refused?.code) {
    case 'path.outside':
      return path ? [inSecurity('add', 'allowed_roots', folderOf(path, security), settings.security?.['allowed_roots'] === undefined ? ['~'] : [])] : []
    case 'path.denied':
    case 'path.protected':
      return path ? liftings(path, security, settings) : []
    case 'level.denied':
      return [override(trial, 'CONFIRM')]
    case 'level.restricted':
      return [inSecurity('add', 'allow_restricted', tool)]
    case 'command.off':
      return [inSecurity('set', 'default_shell_access', true)]
    case 'command.denied':
      return programs(args, security, settings)
    case 'access.denied':
      return grants(ungranted, settings)
    case 'component.unknown':
      return [...(settings.disabledTools?.includes(tool) ? [{ do: 'remove', path: ['disabledTools'], value: tool } as const] : []), ...[ASSISTANT, ...Object.keys(PROFILES), 'full'].map((profile) => ({ do: 'set', path: ['profile'], value: profile }) as const)]
    default:
      return []
  }
}

/** An exception for exactly this place, or the operator's own rule taken back. */
function liftings({ path, use }: LookedAt, security: Security, settings: Settings): readonly Change[] {
  const below = belowRoot(path, security)
  if (below === undefined) return []
  const own = (key: string): readonly unknown[] => (Array.isArray(settings.security?.[key]) ? (settings.security[key] as unknown[]) : [])
  const taken = ['denied_patterns', 'denied_names', ...(use === 'read' ? [] : ['write_protected'])].flatMap((key) => own(key).map((value) => inSecurity('remove', key, value)))
  return [...(settings.security?.['allow_paths'] === undefined ? [] : [inSecurity('add', 'allow_paths', below)]), inSecurity('add', 'excepted_patterns', below), ...taken]
}

/** A grant of exactly what the call names. */
function grants(ungranted: CallExplained['ungranted'], { authzPolicy }: Settings): readonly Change[] {
  const { grants: there } = JSON.parse(authzPolicy ?? '{"grants":[]}') as { readonly grants: readonly unknown[] }
  const more = ungranted.map(({ action, kind, id }) => ({ subject: 'local', actions: [action], kinds: [kind], prefix: id }))
  return [{ do: 'set', path: ['authzPolicy'], value: JSON.stringify({ grants: [...there, ...more] }) }]
}

/** Programs that have a grammar and are not served. */
function programs(args: unknown, { commands }: Security, settings: Settings): readonly Change[] {
  const { command } = args as { command?: unknown }
  if (typeof command !== 'string' || commands.has(command) || !Object.hasOwn(READING_PROGRAMS, command)) return []
  return [inSecurity('add', 'allowed_commands', command, settings.security?.['allowed_commands'] === undefined ? [...commands.keys()] : [])]
}

/** What would take the call away: the place that it names, or the whole tool. */
function denials({ paths, tool }: CallExplained, trial: Trial): readonly Change[] {
  const security = securityOf(trial.loaded.values, trial.options)
  const places = paths.flatMap(({ path, use }) => {
    const below = belowRoot(path, security)
    return below === undefined ? [] : [inSecurity('add', use === 'read' ? 'denied_patterns' : 'write_protected', below)]
  })
  return [...places.reverse(), override({ ...trial, call: { ...trial.call, tool } }, 'DENIED')]
}

/** A level of the settings replaces one of the section, so it is changed there where there is one. */
function override({ loaded, call: { tool } }: Trial, level: string): Change {
  const { levelOverrides = [] } = loaded.values
  if (!levelOverrides.some((one) => one.startsWith(`${tool}=`))) return { do: 'set', path: ['security', 'tool_overrides', tool], value: level }
  return { do: 'set', path: ['levelOverrides'], value: [...levelOverrides.filter((one) => !one.startsWith(`${tool}=`)), `${tool}=${level}`] }
}

/** The path from its folder as a pattern that means itself alone. */
function belowRoot(path: string, security: Security): string | undefined {
  const names = spellPath(path, security.standpoint)
  const found = names instanceof Refusal ? undefined : rootOf(names.filter((name) => name !== '.'), security)
  // A sign of a pattern, or of another language of patterns, stands for itself in a set; `!` would turn the set round.
  return found && found.below.length > 0 ? found.below.map((name) => name.replace(/[*?[{}|(~$]|^\s|\s$/g, '[$&]')).join('/').replace(/^!/, '/!') : undefined
}

/** The folder itself, or the one that a file lies in. */
function folderOf({ path }: LookedAt, { standpoint }: Security): string {
  const names = spellPath(path, standpoint)
  const written = names instanceof Refusal ? '/' : `/${names.filter((name) => name !== '.').join('/')}`
  return statSync(written, { throwIfNoEntry: false })?.isDirectory() === true ? written : dirname(written)
}

/** @param base the list that holds while the section has none: an addition must name what is there. */
function inSecurity(how: Change['do'], key: string, value: unknown, base: readonly unknown[] = []): Change {
  return how === 'add' && base.length > 0 ? { do: 'set', path: ['security', key], value: [...base, value] } : { do: how, path: ['security', key], value }
}

/** The settings with the change made. */
function changed(settings: Settings, { path, value, do: how }: Change): Settings {
  const edit = (before: unknown, [key, ...rest]: readonly string[]): unknown => {
    if (key !== undefined) {
      const members = (typeof before === 'object' && before !== null ? before : {}) as Readonly<Record<string, unknown>>
      return { ...members, [key]: edit(members[key], rest) }
    }
    const list: readonly unknown[] = Array.isArray(before) ? before : []
    return how === 'set' ? value : how === 'add' ? [...list, value] : list.filter((one) => one !== value)
  }
  return edit(settings, path) as Settings
}
