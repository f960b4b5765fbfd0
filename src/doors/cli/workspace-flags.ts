/** The flags of `mcp-serve` that are no settings: they hold for one start, and no file or variable stands in for them. */

import { APPROVES_ALL, parseMode } from '../../app/workspace-start.ts'
import type { Mode } from '../../app/workspace-start.ts'
import { ConfigError } from '../../config/index.ts'

export interface WorkspaceFlags {
  readonly cwd: string | undefined
  /** Undefined: there is no assistant. */
  readonly mode: Mode | undefined
  readonly maxTurns: number
  /** In the currency of the model's price list; undefined is no bound. */
  readonly maxCost: number | undefined
  readonly dryRun: boolean
}

/** Answers of the model in one run where `--max-turns` is not given. */
export const DEFAULT_TURNS = 20
const MAX_TURNS = 1_000
const ONLY_WITH_MODE = ['maxTurns', 'maxCost', 'dryRun'] as const
const SPELLED = { maxTurns: '--max-turns', maxCost: '--max-cost', dryRun: '--dry-run' } as const

type Options = Readonly<Record<string, unknown>>

/** @throws ConfigError with every problem at once. */
export function workspaceFlags(options: Options): WorkspaceFlags {
  const problems: string[] = []
  const mode = modeIn(options['permissionMode'], problems)
  const maxTurns = numberIn(options, 'maxTurns', problems) ?? DEFAULT_TURNS
  const maxCost = numberIn(options, 'maxCost', problems)
  if (!Number.isInteger(maxTurns) || maxTurns > MAX_TURNS) problems.push(`--max-turns: accepts 1 to ${MAX_TURNS}`)
  if (options['permissionMode'] === undefined) {
    for (const name of ONLY_WITH_MODE) if (options[name] !== undefined && options[name] !== false) problems.push(`${SPELLED[name]}: only with --permission-mode`)
  }
  if (problems.length > 0) throw new ConfigError(problems)
  return { cwd: typeof options['cwd'] === 'string' ? options['cwd'] : undefined, mode, maxTurns, maxCost, dryRun: options['dryRun'] === true }
}

function modeIn(word: unknown, problems: string[]): Mode | undefined {
  if (word === undefined) return undefined
  const parsed = parseMode(String(word))
  if (parsed.ok) return parsed.mode
  problems.push(`--permission-mode: ${parsed.why === 'approves-all' ? APPROVES_ALL : 'accepts plan, default or acceptEdits'}`)
  return undefined
}

function numberIn(options: Options, name: 'maxTurns' | 'maxCost', problems: string[]): number | undefined {
  const given = options[name]
  if (given === undefined) return undefined
  const number = /^\d{1,9}(?:\.\d{1,6})?$/.test(String(given)) ? Number(given) : 0
  if (number > 0) return number
  problems.push(`${SPELLED[name]}: accepts a number above 0`)
  return undefined
}
