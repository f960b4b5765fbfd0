/** Reads the operator's policies out of the settings. A policy that cannot be applied stops the start. */

import { createHash } from 'node:crypto'
import { ConfigError } from '../config/index.ts'
import type { Settings } from '../config/index.ts'
import type { Levels } from '../guard/deps.ts'
import type { Registry } from '../guard/view.ts'
import type { Authorizer } from '../kernel/authorizer.ts'
import type { Call } from '../kernel/call.ts'
import type { Caller } from '../kernel/caller.ts'
import { LEVELS } from '../kernel/tool.ts'
import type { Level } from '../kernel/tool.ts'
import type { Security } from '../policy/security.ts'
import { DEFAULT_GRANTS, grantAuthorizer, parseGrants } from '../policy/grants.ts'

/**
 * Grants for every caller; without auth and without a policy of the operator's own, the local caller
 * may do everything, because it is the operator.
 * @throws ConfigError naming each grant that cannot be applied.
 */
export function authorizerOf({ authzPolicy, authEnabled }: Settings, local: Caller): Authorizer {
  if (authzPolicy !== undefined) {
    const parsed = parseGrants(authzPolicy)
    if (!parsed.ok) throw new ConfigError(parsed.problems.map((problem) => `ARROWHEAD_AUTHZ_POLICY: ${problem}`))
    return grantAuthorizer(parsed.grants)
  }
  const byGrant = grantAuthorizer(DEFAULT_GRANTS)
  if (authEnabled) return byGrant
  return {
    allows: (caller, access) => caller === local || byGrant.allows(caller, access),
    reaches: (caller, access) => caller === local || byGrant.reaches(caller, access),
  }
}

/** @throws ConfigError for a name that no component has, or a level that does not exist. */
export function levelsOf({ levelOverrides = [], allowRestricted = [] }: Settings, names: ReadonlySet<string>, security: Pick<Security, 'overrides' | 'allowRestricted'>): Levels {
  const problems: string[] = []
  const known = (name: string, setting: string): void => {
    if (!names.has(name)) problems.push(`${setting}: names a component that does not exist`)
  }
  const overrides = new Map<string, Level>(security.overrides)
  for (const override of levelOverrides) {
    const [name = '', level = ''] = override.split('=')
    known(name, 'ARROWHEAD_LEVEL_OVERRIDES')
    if (!isLevel(level)) problems.push(`ARROWHEAD_LEVEL_OVERRIDES: accepts name=${LEVELS.join('|')}`)
    else overrides.set(name, level)
  }
  for (const name of allowRestricted) known(name, 'ARROWHEAD_ALLOW_RESTRICTED')
  if (problems.length > 0) throw new ConfigError(problems)
  const restricted = new Set([...allowRestricted, ...security.allowRestricted])
  return { of: (name, declared) => overrides.get(name) ?? declared, optedIn: (name) => restricted.has(name) }
}

const isLevel = (word: string): word is Level => (LEVELS as readonly string[]).includes(word)

/** Scopes with what the operator's map adds to them. Matching itself stays exact. @throws ConfigError */
export function scopeExpander({ scopeExpansions }: Settings): (scopes: Iterable<string>) => ReadonlySet<string> {
  if (scopeExpansions === undefined) return (scopes) => new Set(scopes)
  const map = parseExpansions(scopeExpansions)
  return (scopes) => {
    const all = new Set(scopes)
    for (const scope of all) for (const more of map.get(scope) ?? []) all.add(more)
    return all
  }
}

function parseExpansions(text: string): ReadonlyMap<string, readonly string[]> {
  const wrong = new ConfigError(['ARROWHEAD_SCOPE_EXPANSIONS: accepts a JSON object of scope to list of scopes'])
  let raw: unknown
  try {
    raw = JSON.parse(text)
  } catch {
    throw wrong
  }
  if (raw === null || typeof raw !== 'object' || Array.isArray(raw)) throw wrong
  const entries = Object.entries(raw)
  const isList = (list: unknown): list is string[] => Array.isArray(list) && list.every((item) => typeof item === 'string')
  if (!entries.every(([, list]) => isList(list))) throw wrong
  return new Map(entries as [string, string[]][])
}

/**
 * The one place where something that a caller sets may stand for a person's word: with overwrite, doc_write
 * replaces a document unasked where its client cannot ask, or everywhere if the operator wants no confirmation.
 * A level that the operator set is not waived.
 */
export const consentWaivers = ({ requireWriteConfirmation }: Settings, levels: Levels) =>
  ({ component: { kind, name, level }, input, arrival }: Call): 'always' | 'unless-asked' | undefined => {
    if (kind !== 'tool' || name !== 'doc_write' || input['overwrite'] !== true || levels.of(name, level) !== 'SAFE') return undefined
    if (!requireWriteConfirmation) return 'always'
    // In a call of the assistant it is the model that set it, and a model cannot agree for a person.
    return arrival.errand === undefined ? 'unless-asked' : undefined
  }

/** A digest of everything that decides who may do what. Tickets are bound to it, so none outlives a change of it. */
export function policyRevisionOf(settings: Settings, registry: Registry, authorizer: Authorizer): () => string {
  const { authzPolicy, levelOverrides, allowRestricted, scopeExpansions, requireWriteConfirmation, authEnabled, security } = settings
  const fixed = createHash('sha256').update(JSON.stringify([authzPolicy, levelOverrides, allowRestricted, scopeExpansions, requireWriteConfirmation, authEnabled, security])).digest('base64url')
  let served = { generation: 0, digest: '' }
  return () => {
    if (served.generation !== registry.generation) {
      served = { generation: registry.generation, digest: createHash('sha256').update(registry.enabled.map(({ name }) => name).join('\n')).digest('base64url') }
    }
    return `${fixed}.${served.digest}.${authorizer.revision?.() ?? ''}`
  }
}
