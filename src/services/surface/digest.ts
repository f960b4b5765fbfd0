/**
 * Digests of what a server offers. A client records them when a person consents and compares them
 * later: whatever changed, down to a blank, is a different digest.
 */

import { createHash } from 'node:crypto'
import { canonicalJson } from './canonical-json.ts'

/** SHA-256, in hex, of one definition in canonical form. Every member counts, known or not. */
export const definitionDigest = (definition: unknown): string => createHash('sha256').update(canonicalJson(definition)).digest('hex')

/** One digest over all definitions, in whatever order they are listed. */
export const surfaceDigest = (definitions: readonly unknown[]): string =>
  createHash('sha256').update(definitions.map(definitionDigest).sort().join('\n')).digest('hex')

export interface SurfaceChange {
  /** Names whose definition is not the approved one. */
  readonly changed: readonly string[]
  /** Names that nobody approved. */
  readonly added: readonly string[]
  /** Names that are gone; what remains is as approved. */
  readonly removed: readonly string[]
}

type Named = Readonly<Record<string, unknown>>

/** Compares what was approved with what is offered now. Only `changed` and `added` need a new approval. */
export function compareSurfaces(approved: readonly Named[], now: readonly Named[]): SurfaceChange {
  const before = digests(approved)
  const after = digests(now)
  return {
    changed: [...after].filter(([name, digest]) => before.has(name) && before.get(name) !== digest).map(([name]) => name),
    added: [...after.keys()].filter((name) => !before.has(name)),
    removed: [...before.keys()].filter((name) => !after.has(name)),
  }
}

/** Two definitions of one name are one more reason to ask, so they are digested together. */
function digests(definitions: readonly Named[]): ReadonlyMap<string, string> {
  const byName = new Map<string, Named[]>()
  for (const definition of definitions) {
    const name = String(definition['name'])
    byName.set(name, [...(byName.get(name) ?? []), definition])
  }
  return new Map([...byName].map(([name, all]) => [name, surfaceDigest(all)]))
}
