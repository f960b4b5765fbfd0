/** What a call names in the world, in the words that grants are written in. */

export const ACTIONS = [
  'search', 'read', 'scan', 'fetch', 'query', 'write', 'ingest', 'execute', 'notify',
] as const

export const RESOURCE_KINDS = [
  'url', 'file', 'document', 'prefix', 'table', 'tableless', 'repo_file', 'repo_prefix', 'memory', 'sandbox', 'local_file', 'command', 'host',
] as const

/** A user's own tool may name its own words; the prefix keeps them apart from ours. */
export type Action = (typeof ACTIONS)[number] | `app:${string}`
export type ResourceKind = (typeof RESOURCE_KINDS)[number] | `app:${string}`

export interface Access {
  readonly action: Action
  readonly kind: ResourceKind
  /** Identifier inside the kind: a path, a URL, a table. Empty names the whole kind. */
  readonly id: string
  /** Another name of the same thing; a grant for either covers it. */
  readonly alias?: string
}

export const access = (action: Action, kind: ResourceKind, id: string): Access => ({ action, kind, id })
export const read = (kind: ResourceKind, id: string): Access => access('read', kind, id)
export const fetches = (url: string): Access => access('fetch', 'url', url)
