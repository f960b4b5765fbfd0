/**
 * Per-resource grants: default-deny, additive, read once at start. A grant names who, what and where;
 * a policy that cannot be applied as written is an error, never a narrower or wider policy.
 */

import { ACTIONS, RESOURCE_KINDS } from '../kernel/access.ts'
import type { Access, Action, ResourceKind } from '../kernel/access.ts'
import type { Authorizer } from '../kernel/authorizer.ts'
import { isObject } from '../kernel/json-object.ts'
import { climbs } from './climbing-path.ts'

export interface Grant {
  /** One subject, or `*` for every caller that has one. */
  readonly subject: string
  readonly actions: readonly Action[]
  /** Absent: every kind but those that only a spelled-out kind reaches. */
  readonly kinds?: readonly ResourceKind[]
  /** Identifiers at or below it. Empty: all. `${subject}` stands for the caller's own subject. */
  readonly prefix: string
}

/** Kinds whose reach an operator must spell: repository files, memory, queries that read no table, and the machine itself. */
const SPELLED_KINDS: ReadonlySet<string> = new Set<ResourceKind>(['repo_file', 'repo_prefix', 'memory', 'tableless', 'local_file', 'command', 'host'])

const SUBJECT = '${subject}'

/** What every caller may do where the operator wrote no policy. */
export const DEFAULT_GRANTS: readonly Grant[] = [
  { subject: '*', actions: ['search', 'read', 'scan', 'fetch'], prefix: '' },
  { subject: '*', actions: ['query'], kinds: ['table'], prefix: '' },
  { subject: '*', actions: ['write'], kinds: ['document'], prefix: `${SUBJECT}/` },
  { subject: '*', actions: ['search', 'read'], kinds: ['repo_file', 'repo_prefix'], prefix: '' },
  { subject: '*', actions: ['read', 'write'], kinds: ['memory'], prefix: '' },
]

/** A list of grants as an authorizer: a table look-up, no I/O. */
export function grantAuthorizer(grants: readonly Grant[]): Required<Pick<Authorizer, 'reaches'>> & Authorizer {
  return {
    allows: ({ subject }, access) => subject !== '' && grants.some((grant) => covers(grant, subject, access)),
    reaches: ({ subject }, access) => subject !== '' && grants.some((grant) => overlaps(grant, subject, access)),
  }
}

/** The prefix that a grant gives this subject for the action and kind; undefined where it gives none. */
function given(grant: Grant, subject: string, { action, kind }: Access): string | undefined {
  if (grant.subject !== '*' && grant.subject !== subject) return undefined
  if (!grant.actions.includes(action)) return undefined
  if (grant.kinds ? !grant.kinds.includes(kind) : SPELLED_KINDS.has(kind)) return undefined
  return expand(grant.prefix, subject)
}

function covers(grant: Grant, subject: string, access: Access): boolean {
  const { kind, id, alias } = access
  const prefix = given(grant, subject, access)
  return prefix !== undefined && (isUnder(id, prefix, kind) || (alias !== undefined && isUnder(alias, prefix, kind)))
}

/** Whether something below both may exist: one of the two begins with the other. */
function overlaps(grant: Grant, subject: string, access: Access): boolean {
  const prefix = given(grant, subject, access)
  return prefix !== undefined && (prefix.startsWith(access.id) || isUnder(access.id, prefix, access.kind))
}

/** A subject that could climb out of its own name space gets none. */
function expand(prefix: string, subject: string): string | undefined {
  if (!prefix.includes(SUBJECT)) return prefix
  if (subject.includes('/') || subject.includes('..') || subject === '.') return undefined
  // By a function, because a text that replaces may name what it stands beside: `$$` is one sign there.
  return prefix.replaceAll(SUBJECT, () => subject)
}

/**
 * Equal, or below it at a boundary: `hr` covers `hr/pay.md` but not `hr-old`. Tables divide at a dot, all else at a slash.
 * A path of a URL that its server may read as going up is below no other path.
 */
export function isUnder(id: string, prefix: string, kind: ResourceKind): boolean {
  if (prefix === '' || id === prefix) return true
  if (!id.startsWith(prefix)) return false
  const boundary = kind === 'table' ? '.' : '/'
  if (!prefix.endsWith(boundary) && id[prefix.length] !== boundary) return false
  return kind !== 'url' || ORIGIN.test(prefix) || !climbs(id.replace(/[?#].*$/s, ''))
}

/** Covers the whole host. */
const ORIGIN = /^[^/]*\/\/[^/]*\/?$/

export type ParsedGrants = { readonly ok: true; readonly grants: readonly Grant[] } | { readonly ok: false; readonly problems: readonly string[] }

/** Reads `{"grants": [...]}`. Every problem is named by its place. */
export function parseGrants(text: string): ParsedGrants {
  const raw = parseJson(text)
  const list = isObject(raw) ? raw['grants'] : undefined
  if (!isObject(raw) || !Array.isArray(list)) return { ok: false, problems: ['must be a JSON object with a "grants" list'] }
  const extra = Object.keys(raw).filter((key) => key !== 'grants').length
  const problems = list.flatMap((grant: unknown, index) => grantProblems(grant).map((problem) => `grant ${index + 1}: ${problem}`))
  if (extra > 0) problems.push('only "grants" may stand beside "grants"')
  return problems.length > 0 ? { ok: false, problems } : { ok: true, grants: list as Grant[] }
}

function grantProblems(grant: unknown): string[] {
  if (!isObject(grant)) return ['must be an object']
  const { subject, actions, kinds, prefix, ...rest } = grant
  const problems: string[] = []
  if (typeof subject !== 'string' || subject === '') problems.push('"subject" must be a name or "*"')
  if (!isWordList(actions, ACTIONS)) problems.push(`"actions" must list some of ${ACTIONS.join(', ')}`)
  if (kinds !== undefined && !isWordList(kinds, RESOURCE_KINDS)) problems.push(`"kinds" must list some of ${RESOURCE_KINDS.join(', ')}`)
  if (typeof prefix !== 'string') problems.push('"prefix" must be a text; "" covers everything')
  else if (/\$\{(?!subject\})/.test(prefix)) problems.push('"prefix" knows no variable but ${subject}')
  if (Object.keys(rest).length > 0) problems.push('knows only subject, actions, kinds and prefix')
  return problems
}

const isWordList = (list: unknown, words: readonly string[]): boolean =>
  Array.isArray(list) && list.length > 0 && list.every((word) => typeof word === 'string' && (words.includes(word) || /^app:[a-z0-9_.-]+$/.test(word)))

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
