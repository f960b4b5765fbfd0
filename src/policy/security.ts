/**
 * The `security` section of the config file: levels, path policy and programs. It is read once at start; whatever is
 * wrong with it is listed whole, and then nothing is served.
 */

import { isObject } from '../kernel/json-object.ts'
import { LEVELS } from '../kernel/tool.ts'
import type { Level } from '../kernel/tool.ts'
import { parseOptions } from './commands/grammar.ts'
import type { Arguments, Grammar, Operands } from './commands/grammar.ts'
import { judgeCommand } from './commands/judge-command.ts'
import type { CommandTable } from './commands/judge-command.ts'
import { READING_PROGRAMS } from './commands/reading-programs.ts'
import { SYSTEM_PROGRAMS } from './commands/system-programs.ts'
import { VALUE_TYPES } from './commands/value-types.ts'
import { DENIED, DENIED_NAMES, EXCEPTED, passedOver, WRITE_PROTECTED } from './default-path-rules.ts'
import { compilePathPolicy } from './path-policy.ts'
import type { PathPolicy, PathRules } from './path-policy.ts'
import { isBelow, spellPath } from './spell-path.ts'
import type { Standpoint } from './spell-path.ts'
import { Refusal } from '../kernel/refusal.ts'

export interface Security {
  readonly overrides: ReadonlyMap<string, Level>
  readonly allowRestricted: ReadonlySet<string>
  /** Absolute folders. */
  readonly roots: readonly string[]
  readonly standpoint: Standpoint
  readonly paths: PathPolicy
  /** Whether commands may run at all. */
  readonly shellAccess: boolean
  readonly commands: CommandTable
}

export type ParsedSecurity = { readonly ok: true; readonly security: Security } | { readonly ok: false; readonly problems: readonly string[] }

const KEYS = ['tool_overrides', 'allow_restricted', 'allowed_roots', 'default_shell_access', 'allow_paths', 'denied_patterns', 'denied_names', 'excepted_patterns', 'write_protected', 'allowed_commands', 'commands', 'rules'] as const
const PATH_KEYS = ['allow_paths', 'denied_patterns', 'denied_names', 'excepted_patterns', 'write_protected'] as const
/** Folders that lead to everything else. */
const NO_ROOTS: ReadonlySet<string> = new Set(['', 'proc', 'sys', 'dev', 'run'])

/** @param names tools that there are. @param raw the section as the file has it; undefined for none. */
export function parseSecurity(raw: unknown, standpoint: Standpoint, names: ReadonlySet<string>): ParsedSecurity {
  if (raw !== undefined && !isObject(raw)) return { ok: false, problems: ['security: must be an object'] }
  const section = new Section(raw ?? {}, standpoint, names)
  const security = section.read()
  return section.problems.length > 0 ? { ok: false, problems: section.problems.map((problem) => `security.${problem}`) } : { ok: true, security }
}

class Section {
  readonly problems: string[] = []
  readonly #raw: Readonly<Record<string, unknown>>
  readonly #standpoint: Standpoint
  readonly #names: ReadonlySet<string>

  constructor(raw: Readonly<Record<string, unknown>>, standpoint: Standpoint, names: ReadonlySet<string>) {
    this.#raw = raw
    this.#standpoint = standpoint
    this.#names = names
    const unknown = Object.keys(raw).filter((key) => !(KEYS as readonly string[]).includes(key))
    if (unknown.length > 0) this.problems.push(`*: ${unknown.length === 1 ? 'a key is' : `${unknown.length} keys are`} unknown; it knows ${KEYS.join(', ')}`)
  }

  read(): Security {
    const security: Security = {
      overrides: this.#overrides(),
      allowRestricted: new Set(this.#texts('allow_restricted').filter((name) => this.#isTool('allow_restricted', name))),
      roots: this.#roots(),
      standpoint: this.#standpoint,
      paths: this.#paths(),
      shellAccess: this.#flag('default_shell_access'),
      commands: this.#commands(),
    }
    this.#rules(security)
    return security
  }

  #overrides(): ReadonlyMap<string, Level> {
    const given = this.#record('tool_overrides')
    const overrides = new Map<string, Level>()
    for (const [name, level] of Object.entries(given)) {
      if (!this.#isTool('tool_overrides', name)) continue
      if (isLevel(level)) overrides.set(name, level)
      else this.problems.push(`tool_overrides: ${name} must be one of ${LEVELS.join(', ')}`)
    }
    return overrides
  }

  #roots(): readonly string[] {
    const given = this.#raw['allowed_roots'] === undefined ? ['~'] : this.#texts('allowed_roots')
    return given.flatMap((root, index) => {
      const names = spellPath(root, this.#standpoint)
      if (names instanceof Refusal || (!root.startsWith('/') && root !== '~' && !root.startsWith('~/'))) {
        this.problems.push(`allowed_roots: folder ${index + 1} must be absolute, or begin with ~/`)
        return []
      }
      const plain = names.filter((name) => name !== '.')
      if (NO_ROOTS.has(plain.join('/')) || isBelow(plain, ['proc'])) {
        this.problems.push(`allowed_roots: folder ${index + 1} leads to everything else: name one that holds files`)
        return []
      }
      return [`/${plain.join('/')}`]
    })
  }

  #paths(): PathPolicy {
    const more = (key: string, fallback: readonly string[]): unknown => {
      const given = this.#raw[key]
      return given === undefined ? fallback : Array.isArray(given) ? [...fallback, ...given] : given
    }
    const rules: PathRules = {
      ...(this.#raw['allow_paths'] !== undefined && { allow: this.#raw['allow_paths'] }),
      deny: more('denied_patterns', DENIED), denyNames: more('denied_names', DENIED_NAMES),
      except: more('excepted_patterns', EXCEPTED), denyWrite: more('write_protected', WRITE_PROTECTED),
    }
    if (PATH_KEYS.every((key) => this.#raw[key] === undefined)) return compiledLater(rules)
    const compiled = compilePathPolicy(rules)
    if (compiled.ok) return compiled.policy
    this.problems.push(...compiled.problems)
    return UNAPPLIED
  }

  #commands(): CommandTable {
    const table = new Map<string, Grammar>()
    const further = this.#record('commands')
    const all: Readonly<Record<string, Grammar>> = { ...SYSTEM_PROGRAMS, ...READING_PROGRAMS }
    const own = new Map(Object.entries(further).flatMap(([name, raw]) => this.#grammar(name, raw)))
    const named = this.#raw['allowed_commands'] === undefined ? [...Object.keys(SYSTEM_PROGRAMS), ...own.keys()] : this.#texts('allowed_commands')
    for (const name of named) {
      const grammar = own.get(name) ?? (Object.hasOwn(all, name) ? all[name] : undefined)
      if (!grammar) this.problems.push('allowed_commands: names a program that has no grammar: give it one under commands')
      else if (grammar.neverRun !== undefined) this.problems.push(`allowed_commands: ${name} is not run: ${grammar.neverRun}`)
      else table.set(name, this.#withHidden(grammar))
    }
    return table
  }

  /** What a program meets below a folder is never judged, so what the path policy hides is named to it. */
  #withHidden(grammar: Grammar): Grammar {
    const { leavesOut } = grammar
    if (leavesOut === undefined) return grammar
    const own = (key: string): readonly string[] => (Array.isArray(this.#raw[key]) ? this.#raw[key].filter((one) => typeof one === 'string') : [])
    return { ...grammar, adds: passedOver([...DENIED_NAMES, ...own('denied_names')], [...DENIED, ...own('denied_patterns')]).map((name) => leavesOut + name) }
  }

  #grammar(name: string, raw: unknown): [string, Grammar][] {
    const wrong = (problem: string): [] => {
      this.problems.push(`commands: ${/^[\w.-]{1,40}$/.test(name) ? name : 'a name'} ${problem}`)
      return []
    }
    if (!/^[a-z][\w.-]{0,39}$/.test(name)) return wrong('is not the bare name of a program')
    if (!isObject(raw)) return wrong('must be an object')
    const { path, options = '', operands = [], sees = [], ...rest } = raw
    if (Object.keys(rest).length > 0) return wrong('knows only path, options, operands and sees')
    if (typeof path !== 'string' || !/^\/(?:[\w.+-]+\/)+[\w.+-]+$/.test(path) || path.includes('/../')) return wrong('needs "path", the absolute path of the program')
    if (typeof options !== 'string') return wrong('has "options" that are no text')
    const read = parseOptions(options)
    if (!read.ok) return wrong(`has "options" of which ${read.problem}`)
    if (!Array.isArray(operands) || !operands.every(isOperand)) return wrong(`has "operands" that are not a list of {"type": one of ${Object.keys(VALUE_TYPES).join(', ')}, "min", "max"}`)
    if (!Array.isArray(sees) || !sees.every((one) => one === 'network' || one === 'processes' || one === 'home')) return wrong('may see network, processes and home')
    const words: Arguments = { options, operands }
    return [[name, { ...words, places: [path], sees: sees as Grammar['sees'] & object }]]
  }

  /** Examples that the operator's own rules carry: each must come out as it says. */
  #rules(security: Security): void {
    const rules = this.#raw['rules'] ?? []
    if (!Array.isArray(rules)) return void this.problems.push('rules: must be a list of {"deny", "match", "not_match"} or {"command", "match", "not_match"}')
    for (const [index, rule] of rules.entries()) {
      for (const problem of ruleProblems(rule, security)) this.problems.push(`rules: rule ${index + 1} ${problem}`)
    }
  }

  #texts(key: string): readonly string[] {
    const given = this.#raw[key] ?? []
    if (Array.isArray(given) && given.every((item) => typeof item === 'string')) return given as string[]
    this.problems.push(`${key}: must be a list of texts`)
    return []
  }

  #record(key: string): Readonly<Record<string, unknown>> {
    const given = this.#raw[key] ?? {}
    if (isObject(given)) return given
    this.problems.push(`${key}: must be an object`)
    return {}
  }

  #flag(key: string): boolean {
    const given = this.#raw[key] ?? false
    if (typeof given !== 'boolean') this.problems.push(`${key}: must be true or false`)
    return given === true
  }

  #isTool(key: string, name: string): boolean {
    if (this.#names.has(name)) return true
    this.problems.push(`${key}: names a tool that does not exist`)
    return false
  }
}

/** Denies everything. */
const UNAPPLIED: PathPolicy = { judge: () => ({ rule: 'a policy that cannot be applied', list: 'deny' }) }

/** Our own rules alone can have no problem to be told at the start, so they are read for the first path that is judged. */
function compiledLater(rules: PathRules): PathPolicy {
  let policy: PathPolicy | undefined
  const compile = (): PathPolicy => {
    const compiled = compilePathPolicy(rules)
    return compiled.ok ? compiled.policy : UNAPPLIED
  }
  return { judge: (names, use, above) => (policy ??= compile()).judge(names, use, above) }
}

/** `{"read"|"write"|"command": what is tested, "match": refused examples, "not_match": allowed ones}`. */
export function ruleProblems(rule: unknown, security: Security): readonly string[] {
  if (!isObject(rule)) return ['must be an object']
  const { kind, match = [], not_match: notMatch = [], ...rest } = rule
  if ((kind !== 'read' && kind !== 'write' && kind !== 'command') || Object.keys(rest).length > 0) return ['must be {"kind": "read", "write" or "command", "match": examples that are refused, "not_match": examples that are allowed}']
  const isList = (list: unknown): list is string[] => Array.isArray(list) && list.every((item) => typeof item === 'string' && item !== '')
  if (!isList(match) || !isList(notMatch)) return ['has examples that are not lists of texts']
  const judged = (example: string): boolean => (kind === 'command' ? !judgeCommand(security.commands, example.split(' ')).ok : isPathRefused(example, kind, security))
  return [
    ...match.flatMap((example, index) => (judged(example) ? [] : [`lets its example ${index + 1} of "match" through`])),
    ...notMatch.flatMap((example, index) => (judged(example) ? [`refuses its example ${index + 1} of "not_match"`] : [])),
  ]
}

/** By the spelling alone: whether anything is there, and where links lead, is looked at when a call is made. */
export function isPathRefused(path: string, use: 'read' | 'write', { roots, paths, standpoint }: Security): boolean {
  const names = spellPath(path, standpoint)
  if (names instanceof Refusal) return true
  const root = roots.map((one) => one.split('/').filter(Boolean)).find((one) => isBelow(names, one))
  return root === undefined || paths.judge(names.slice(root.length), use, root) !== undefined
}

const isLevel = (word: unknown): word is Level => typeof word === 'string' && (LEVELS as readonly string[]).includes(word)
const isCount = (value: unknown): value is number => typeof value === 'number' && Number.isInteger(value) && value >= 0
const isOperand = (value: unknown): value is Operands => {
  if (!isObject(value)) return false
  const { type, min = 0, max = min, ...rest } = value
  return typeof type === 'string' && Object.hasOwn(VALUE_TYPES, type) && isCount(min) && isCount(max) && max >= min && Object.keys(rest).length === 0
}
