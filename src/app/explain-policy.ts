/** Everything that a person can be told of a call before it is made: verdict, rule and its place, paths, level, and what would turn it. */

import type { ResourceKind } from '../kernel/access.ts'
import type { RefusalCode } from '../kernel/refusal.ts'
import type { Level } from '../kernel/tool.ts'
import { explainCall } from './explain-call.ts'
import type { CallExplained, LookedAt, ToolCall } from './explain-call.ts'
import { levelRule, rootRule, ruleOf } from './rule-place.ts'
import type { Grounds, Rule } from './rule-place.ts'
import { smallestChanges } from './smallest-change.ts'
import type { Turned } from './smallest-change.ts'

export interface ExplainedPath extends Pick<LookedAt, 'path' | 'use' | 'resolved'> {
  readonly allowed: boolean
  /** The allowed folder that it lies in. */
  readonly root: Rule | undefined
}

export interface PolicyExplained extends Pick<CallExplained, 'tool' | 'verdict'> {
  /** Whether a person would be asked. */
  readonly asks: boolean
  readonly refused: { readonly code: RefusalCode; readonly message: string; readonly hint: string | undefined } | undefined
  readonly rule: Rule | undefined
  readonly level: { readonly value: Level; readonly declared: Level; readonly risen: boolean } | undefined
  readonly levelRule: Rule | undefined
  readonly paths: readonly ExplainedPath[]
  /** What is checked only when the call is made, in sentences of ours. */
  readonly later: readonly string[]
  readonly changes: readonly Turned[]
}

/** Kinds whose own wall stands at the exit: it is met by whoever gets there. */
const LATER: Readonly<Partial<Record<ResourceKind, string>>> = {
  url: 'only public addresses are fetched, which is checked once the name was resolved',
  document: 'the path must lie within the documents',
  file: 'the path must lie within the folder that is served',
  repo_file: 'the path must lie within the source tree',
}

/** Nothing is run. @throws ConfigError for settings that cannot be applied. */
export async function explainPolicy({ call, ...grounds }: Grounds & { readonly call: ToolCall }): Promise<PolicyExplained> {
  const { loaded, options } = grounds
  const explained = await explainCall(loaded.values, options, call)
  const { tool, verdict, refused, level, paths, accesses } = explained
  const isPlaced = paths.length > 0
  return {
    tool, verdict, asks: verdict === 'asks',
    refused: refused && { code: refused.code, message: refused.message, hint: refused.hint },
    rule: ruleOf(explained, grounds),
    level: level && { value: level.value, declared: level.declared, risen: level.value !== level.set },
    levelRule: refused ? undefined : levelRule(tool, explained, grounds),
    paths: paths.map(({ path, use, resolved, refused: no }) => ({ path, use, resolved, allowed: no === undefined, root: resolved[0] === undefined ? undefined : rootRule(resolved[0], grounds) })),
    later: refused ? [] : [...new Set(accesses.flatMap(({ kind }) => (isPlaced ? [] : (LATER[kind] ?? []))))],
    changes: await smallestChanges(explained, { loaded, options, call }),
  }
}
