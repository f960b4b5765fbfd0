/**
 * What callers may leave behind. Ownership is part of every method, never a filter: there is no way to ask for
 * what is not the owner's. Owners are the keys that `ownerOf` gives.
 */

import type { Fields } from '../schema.ts'

export interface MemoryDraft {
  readonly namespace: string
  readonly content: string
  readonly metadata: Fields
  /** Replaces this memory; absent for a new one. */
  readonly id?: string | undefined
}

export interface StoredMemory {
  readonly id: string
  /** `unchanged` where the namespace held the same content already, or the replacement changes nothing. */
  readonly status: 'created' | 'unchanged' | 'updated'
}

export interface MemoryEntry {
  readonly id: string
  readonly metadata: Fields
  /** Milliseconds since 1970-01-01 UTC. */
  readonly createdMs: number
}

export interface MemoryHit {
  readonly id: string
  readonly metadata: Fields
  /** The content, or the part around the first match where it is long. */
  readonly snippet: string
  /** Higher is nearer; comparable only within one answer. */
  readonly score: number
}

export interface Recalled {
  /** The kind of search that was really made. */
  readonly recall: 'keyword' | 'semantic'
  /** Nearest first. */
  readonly hits: readonly MemoryHit[]
}

export interface Memories {
  /**
   * Keeps a memory before it returns.
   * @throws Refusal `content.too-large`, `memory.full`; `memory.missing` for an id that the owner does not have in
   * this namespace; `memory.duplicate` where a replacement would say what another memory says.
   */
  store(owner: string, draft: MemoryDraft): Promise<StoredMemory>
  /** At most `k` memories that share a word with the query. @throws Refusal `input.invalid` for a `k` over the limit. */
  search(owner: string, query: { readonly namespace: string; readonly query: string; readonly k: number }): Promise<Recalled>
  /** Oldest first. A namespace that was never written to is empty. */
  list(owner: string, namespace: string): Promise<readonly MemoryEntry[]>
  /** @returns whether there was one. */
  remove(owner: string, namespace: string, id: string): Promise<boolean>
}

export interface KeptValue {
  readonly value: string
  /** Milliseconds since 1970-01-01 UTC; undefined for a value without an end. */
  readonly expiresMs: number | undefined
}

export interface KeyValues {
  /**
   * Replaces what was there. A `ttlSeconds` of 0 keeps the value until it is deleted.
   * @throws Refusal `content.too-large`, `memory.full`; `input.invalid` for a lifetime over the limit.
   */
  set(owner: string, entry: { readonly key: string; readonly value: string; readonly ttlSeconds: number }): Promise<Pick<KeptValue, 'expiresMs'>>
  /** Undefined for what is not there, has expired, or is another owner's. */
  get(owner: string, key: string): Promise<KeptValue | undefined>
  /** @returns whether there was a value. */
  remove(owner: string, key: string): Promise<boolean>
}
