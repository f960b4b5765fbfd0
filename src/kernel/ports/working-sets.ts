/** Named collections of references, each seen by its owner alone. Adapters pass `test/adapters/working-sets.contract.ts`. */

import type { SourceRef } from './sources.ts'

export type { SourceRef } from './sources.ts'

export interface PinnedItem extends SourceRef {
  /** Why it was pinned, in its owner's words; may be empty. */
  readonly note: string
}

export interface WorkingSet {
  readonly name: string
  /** In the order in which they were first pinned. */
  readonly items: readonly PinnedItem[]
}

/** The owner is `ownerOf` a caller, compared as a whole; a set of another owner and one that does not exist are the same. */
export interface WorkingSets {
  /** @throws Refusal `workingset.missing`. */
  get(owner: string, name: string): Promise<WorkingSet>
  /**
   * Adds items, or renews the note of those that are there; makes the set where there is none. All or nothing.
   * @throws Refusal `workingset.full` at the limit of items, of sets, or of the whole server.
   */
  pin(owner: string, name: string, items: readonly PinnedItem[]): Promise<WorkingSet>
  /** Items that are not in the set are no error. @throws Refusal `workingset.missing`. */
  unpin(owner: string, name: string, items: readonly SourceRef[]): Promise<WorkingSet>
  /** Leaves an empty set, which makes room by itself when its owner needs it. @throws Refusal `workingset.missing`. */
  clear(owner: string, name: string): Promise<WorkingSet>
}
