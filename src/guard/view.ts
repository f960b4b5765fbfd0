/**
 * What one caller may see, worked out once for each set of scopes: profile × kill switch × scopes.
 * Names live in maps, so an inherited name such as `constructor` is as unknown as any other.
 */

import type { Component, ListingName } from '../kernel/call.ts'

/** A component and how it is listed. Completions share the entry of the component that they complete. */
export interface Entry {
  readonly list: ListingName
  /** Tool or prompt name, URI, or URI template. */
  readonly name: string
  readonly scope: string
  readonly component: Component
  readonly completion: Component
  /** The entry as clients get it, in MCP's words. */
  listed(): Readonly<Record<string, unknown>>
  /** Template variables of a concrete URI; undefined where the entry is no template. */
  match?(uri: string): Readonly<Record<string, string>> | undefined
}

export interface Found {
  readonly entry: Entry
  readonly params: Readonly<Record<string, string>>
}

export interface View {
  find(kind: 'tool' | 'resource' | 'prompt', name: string): Found | undefined
  entry(list: ListingName, name: string): Entry | undefined
  readonly listings: Readonly<Record<ListingName, readonly Readonly<Record<string, unknown>>[]>>
}

const NO_PARAMS = Object.freeze({})

export function createView(entries: readonly Entry[]): View {
  const listed = (list: ListingName): Entry[] => entries.filter((entry) => entry.list === list)
  const named = (list: ListingName): ReadonlyMap<string, Entry> => new Map(listed(list).map((entry) => [entry.name, entry]))
  const exact = { tools: named('tools'), resources: named('resources'), templates: named('templates'), prompts: named('prompts') }
  const templates = entries.filter(({ match }) => match)
  const listing = (list: ListingName) => listed(list).map((entry) => entry.listed())
  let listings: View['listings'] | undefined
  const plainly = (list: ListingName, name: string): Found | undefined => {
    const entry = exact[list].get(name)
    return entry && { entry, params: NO_PARAMS }
  }
  return {
    entry: (list, name) => exact[list].get(name),
    get listings() {
      return (listings ??= { tools: listing('tools'), resources: listing('resources'), templates: listing('templates'), prompts: listing('prompts') })
    },
    find(kind, name) {
      if (kind === 'tool') return plainly('tools', name)
      if (kind === 'prompt') return plainly('prompts', name)
      return plainly('resources', name) ?? fromTemplates(templates, name)
    },
  }
}

function fromTemplates(templates: readonly Entry[], uri: string): Found | undefined {
  for (const entry of templates) {
    const params = entry.match?.(uri)
    if (params) return { entry, params }
  }
  return undefined
}

export interface Registry {
  view(scopes: ReadonlySet<string>): View
  /** Grows by one with every change of what is offered. */
  readonly generation: number
  /** Why a name is not in a caller's view. For the audit alone. */
  why(kind: 'tool' | 'resource' | 'prompt', name: string): { readonly name: string; readonly reason: 'unknown' | 'disabled' | 'scope' }
  /** Every enabled entry, whatever the caller. */
  readonly enabled: readonly Entry[]
  /** Every registered entry, switched off or not. */
  readonly all: readonly Entry[]
  /** Takes exactly these names out of service. Views made before are dropped. */
  disable(names: ReadonlySet<string>): void
}

/** @throws TypeError when two entries of one list share a name. */
export function createRegistry(all: readonly Entry[]): Registry {
  const sorted = [...all].sort((a, b) => (a.name < b.name ? -1 : 1))
  sorted.forEach((entry, index) => {
    const twin = sorted[index + 1]
    if (twin && twin.name === entry.name && twin.list === entry.list) throw new TypeError(`${entry.name} is registered twice`)
  })
  const whole = createView(sorted)
  let generation = 1
  let enabled: readonly Entry[] = sorted
  let views = new WeakMap<ReadonlySet<string>, View>()

  return {
    all: sorted,
    get enabled() {
      return enabled
    },
    get generation() {
      return generation
    },
    disable(names) {
      enabled = sorted.filter(({ name }) => !names.has(name))
      views = new WeakMap()
      generation += 1
    },
    view(scopes) {
      let view = views.get(scopes)
      if (!view) views.set(scopes, (view = createView(enabled.filter(({ scope }) => scopes.has(scope)))))
      return view
    },
    why(kind, name) {
      const found = whole.find(kind, name)
      if (!found) return { name: 'unknown', reason: 'unknown' }
      return { name: found.entry.name, reason: enabled.includes(found.entry) ? 'scope' : 'disabled' }
    },
  }
}

