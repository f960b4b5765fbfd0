/**
 * Places that belong to this program: its data folder, which holds keys, tokens, the audit and what conversations said,
 * and the config file that says what is allowed. No configuration opens them to the tools for files.
 */

import { foldName } from './credential-paths.ts'

export interface OwnPlaces {
  /** Absolute names of folders that are neither shown nor changed. */
  readonly hidden: readonly (readonly string[])[]
  /** Absolute names of files that may be read and are never changed. */
  readonly kept: readonly (readonly string[])[]
}

/** @param names absolute. @returns how the place is kept from this use. */
export function ownPlace(names: readonly string[], use: 'read' | 'write', { hidden, kept }: OwnPlaces): 'hidden' | 'kept' | undefined {
  const plain = names.filter((name) => name !== '.').map(foldName)
  const leadsInto = (place: readonly string[]): boolean => place.length > 0 && place.length <= plain.length && place.every((name, at) => foldName(name) === plain[at])
  if (hidden.some(leadsInto)) return 'hidden'
  return use === 'write' && kept.some((place) => place.length === plain.length && leadsInto(place)) ? 'kept' : undefined
}
