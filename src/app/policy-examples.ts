/** Runs the examples that rules carry: those of the config file against what it says, the built-in ones against what holds without it. */

import { ConfigError } from '../config/index.ts'
import type { Settings } from '../config/index.ts'
import { BUILT_IN_RULES } from '../policy/built-in-rules.ts'
import { parseSecurity, ruleProblems } from '../policy/security.ts'
import type { Security } from '../policy/security.ts'
import type { AppOptions } from './ports.ts'
import { standpointOf, toolNames } from './security.ts'

export interface RuleTested {
  readonly from: 'built in' | 'config file'
  /** From 1, in its list. */
  readonly rule: number
  readonly examples: number
  /** Empty where every example came out as it says. */
  readonly problems: readonly string[]
}

/** @throws ConfigError for a security section that cannot be applied for another reason. */
export function testRules({ security }: Pick<Settings, 'security'>, options: AppOptions): readonly RuleTested[] {
  const { rules = [], ...rest } = security ?? {}
  if (!Array.isArray(rules)) throw new ConfigError(['security.rules: must be a list'])
  return [...tested('built in', BUILT_IN_RULES, parsed({}, options)), ...tested('config file', rules, parsed(rest, options))]
}

function parsed(section: object, options: AppOptions): Security {
  const read = parseSecurity(section, standpointOf(options), toolNames(options.tools))
  if (!read.ok) throw new ConfigError(read.problems)
  return read.security
}

const tested = (from: RuleTested['from'], rules: readonly unknown[], security: Security): readonly RuleTested[] =>
  rules.map((rule, index) => ({ from, rule: index + 1, examples: examplesOf(rule), problems: ruleProblems(rule, security) }))

function examplesOf(rule: unknown): number {
  const { match = [], not_match: notMatch = [] } = (rule ?? {}) as { readonly match?: unknown; readonly not_match?: unknown }
  return [match, notMatch].reduce((sum: number, list) => sum + (Array.isArray(list) ? list.length : 0), 0)
}
