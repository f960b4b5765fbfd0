/**
 * What the assistant may do in a workspace when nobody can be asked: a mode says what kind of call, walls say where, and
 * the operator's rules narrow both. A rule that allows is kept only where it names a path inside; every rule that denies is.
 */

import { foldLetters, foldName } from './credential-paths.ts'
import { globMatches, isGlobbed, parseGlob } from './path-glob.ts'
import type { PathGlob } from './path-glob.ts'
import { placeOf } from './workspace-place.ts'
import type { Ground, Place } from './workspace-place.ts'

/** From least to most. There is none that approves everything. */
export const MODES = ['plan', 'default', 'acceptEdits'] as const
export type Mode = (typeof MODES)[number]

export type ModeWord = { readonly ok: true; readonly mode: Mode } | { readonly ok: false; readonly why: 'approves-all' | 'unknown' }

const APPROVES_ALL: ReadonlySet<string> = new Set(['yolo', 'bypasspermissions', 'dangerouslyskippermissions'])

/** Reads a mode as it was typed. One that approves everything is told from one that nobody knows, however it is spelled. */
export function parseMode(word: string): ModeWord {
  const mode = MODES.find((one) => one === word)
  if (mode !== undefined) return { ok: true, mode }
  const plain = word.normalize('NFKC').toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
  return { ok: false, why: APPROVES_ALL.has(plain) ? 'approves-all' : 'unknown' }
}

const READING = ['read', 'grep', 'glob', 'ls'] as const
const WRITING = ['write', 'edit', 'multiedit'] as const
/** What another program may ask without an agent: it is put to the same rules. */
const ASKING = ['search_code', 'list_sessions', 'read_session', 'ask_arrowhead'] as const
/** Tools whose subject is a path, so that the walls can judge them. Every other tool is denied by name. */
export const CONFINED_TOOLS = [...READING, ...WRITING] as const
export type ConfinedTool = (typeof CONFINED_TOOLS)[number]
export type RuledTool = ConfinedTool | (typeof ASKING)[number]

export const isConfined = (name: string): name is ConfinedTool => (CONFINED_TOOLS as readonly string[]).includes(name)
export const mutates = (tool: string): boolean => (WRITING as readonly string[]).includes(tool)

export interface Rule {
  /** A tool, or `*` for every one. */
  readonly tool: string
  readonly action: 'allow' | 'ask' | 'deny'
  /** Undefined: whatever the call names. */
  readonly path: PathGlob | undefined
  /** Whether the pattern was written from the root of the file system. */
  readonly isAbsolute: boolean
}

export type ParsedRules = { readonly ok: true; readonly rules: readonly Rule[] } | { readonly ok: false; readonly problems: readonly string[] }

const MAX_RULES = 1_000
const ACTIONS: readonly unknown[] = ['allow', 'ask', 'deny'] satisfies Rule['action'][]
const MEMBERS: ReadonlySet<string> = new Set(['tool', 'action', 'path', 'scope'])

/** Reads a `permissions` list. A rule that could not be held to as it is written is a problem, never a rule less. */
export function parseRules(raw: unknown): ParsedRules {
  if (raw === undefined) return { ok: true, rules: [] }
  if (!Array.isArray(raw)) return { ok: false, problems: ['must be a list of rules'] }
  if (raw.length > MAX_RULES) return { ok: false, problems: [`at most ${MAX_RULES} rules`] }
  const judged = raw.map((rule: unknown, at) => ({ at, rule: ruleOf(rule) }))
  const problems = judged.flatMap(({ at, rule }) => (typeof rule === 'string' ? [`rule ${at + 1}: ${rule}`] : []))
  return problems.length > 0 ? { ok: false, problems } : { ok: true, rules: judged.map(({ rule }) => rule as Rule) }
}

function ruleOf(raw: unknown): Rule | string {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return 'must be an object'
  const { tool, action, path } = raw as Readonly<Record<string, unknown>>
  if (Object.keys(raw).some((key) => !MEMBERS.has(key))) return 'knows only tool, action, path and scope'
  if (typeof tool !== 'string' || !/^(?:\*|[A-Za-z][\w:-]{0,127})$/.test(tool)) return '"tool" must be the name of one, or "*"'
  if (!ACTIONS.includes(action)) return '"action" must be allow, ask or deny'
  const glob = typeof path === 'string' ? parseGlob(path) : undefined
  if (path !== undefined && glob === undefined) return '"path" must be a path with * and ? and **, and no step up behind them'
  return { tool, action: action as Rule['action'], path: glob, isAbsolute: typeof path === 'string' && path.startsWith('/') }
}

/** A pattern from the root of the file system. A relative one starts at the workspace. */
const absolute = ({ path, isAbsolute }: Rule, { root }: Ground): PathGlob | undefined => path && (isAbsolute ? path : [...root, ...path])

/** The rules that hold in a workspace: every one that denies or would ask, and those that allow a path inside, by name. */
export function inherit(rules: readonly Rule[], ground: Ground): readonly Rule[] {
  return rules.filter((rule) => {
    if (rule.action !== 'allow') return true
    const fixed = (absolute(rule, ground) ?? []).slice(0, ground.root.length)
    return isConfined(rule.tool) && fixed.length === ground.root.length && fixed.every((name, at) => name === ground.root[at] && !isGlobbed(name))
  })
}

/** A rule against one tool holds for every other that would do the same. */
const ALIKE: readonly (readonly string[])[] = [WRITING, ['read', 'grep', 'search_code']]

const isAgainst = ({ tool: named }: Rule, tool: string): boolean =>
  named === '*' || named === tool || ALIKE.some((group) => group.includes(named) && group.includes(tool))

const lower = (names: readonly string[]): readonly string[] => names.map((name) => name.toLowerCase())

/** Names as file systems may take them that know no case, no width, and no sign that cannot be seen; most have one spelling. */
function spellingsOf(names: readonly string[]): readonly (readonly string[])[] {
  const [plain, folded] = [lower(names), names.map(foldName)]
  return folded.every((name, at) => name === plain[at]) ? [plain] : [plain, names.map(foldLetters), folded]
}

/** In plain letters the two are one. */
const patternsOf = (glob: PathGlob): readonly PathGlob[] => (/^[ -~]*$/.test(glob.join('')) ? [lower(glob)] : [lower(glob), glob.map(foldLetters)])

/** Whether a rule denies a call, by the path that it names or by one that it leads to. A rule that would ask denies: nobody is there. */
export function isDenied(rules: readonly Rule[], tool: string, paths: readonly (readonly string[])[], ground: Ground): boolean {
  const spelled = paths.flatMap(spellingsOf)
  return rules.some((rule) => {
    if (rule.action === 'allow' || !isAgainst(rule, tool)) return false
    const glob = absolute(rule, ground)
    return glob === undefined || patternsOf(glob).some((one) => spelled.some((names) => globMatches(one, names, { below: true })))
  })
}

const isAllowed = (rules: readonly Rule[], tool: string, paths: readonly (readonly string[])[], ground: Ground): boolean =>
  rules.some((rule) => {
    const glob = rule.action === 'allow' && rule.tool === tool ? absolute(rule, ground) : undefined
    return glob !== undefined && paths.every((names) => globMatches(glob, names, { below: false }))
  })

export interface ConfinedCall {
  readonly mode: Mode
  readonly tool: string
  /** The path as it was written and, where it is known, the real one, each from the root of the file system; empty when it names none. */
  readonly paths: readonly (readonly string[])[]
}

/** Why a call does not run, as one closed word. */
export type Denied = 'tool' | 'no-path' | Exclude<Place, 'inside'> | 'mode' | 'rule' | 'unmatched'

/** Decides one call. @returns undefined when it may run; rules are those that `inherit` left. */
export function judge({ mode, tool, paths }: ConfinedCall, rules: readonly Rule[], ground: Ground): Denied | undefined {
  if (!isConfined(tool)) return 'tool'
  if (paths.length === 0) return 'no-path'
  const wall = wallOf(tool, paths.map((names) => placeOf(names, ground)))
  if (wall !== undefined) return wall
  if (mutates(tool) && mode === 'plan') return 'mode'
  if (isDenied(rules, tool, paths, ground)) return 'rule'
  if (!mutates(tool) || mode === 'acceptEdits' || isAllowed(rules, tool, paths, ground)) return undefined
  return 'unmatched'
}

function wallOf(tool: string, places: readonly Place[]): Exclude<Place, 'inside'> | undefined {
  for (const wall of ['outside', 'own', 'credential'] as const) if (places.includes(wall)) return wall
  return mutates(tool) && places.includes('guarded') ? 'guarded' : undefined
}
