/** Names that WITH gives to queries, as seen from one place of a tree. A name in sight is no table. */

export interface Scope {
  readonly names: ReadonlySet<string>
  readonly outer?: Scope
}

export const NO_SCOPE: Scope = { names: new Set() }

export function isInScope(name: string, scope: Scope): boolean {
  for (let at: Scope | undefined = scope; at; at = at.outer) if (at.names.has(name)) return true
  return false
}

/** What the query named at `index` sees. `all`: every sibling, as recursive Postgres does; `own`: itself and what stands before. */
export const siblingScope = (names: readonly string[], index: number, sees: 'all' | 'own' | 'before', outer: Scope): Scope => ({
  names: new Set(sees === 'all' ? names : names.slice(0, sees === 'own' ? index + 1 : index)),
  outer,
})
