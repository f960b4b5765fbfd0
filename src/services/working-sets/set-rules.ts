/** What every adapter holds to: who owns a key, which texts can be kept, how much. */

import { createHash } from 'node:crypto'
import type { PinnedItem, SourceRef } from '../../kernel/ports/working-sets.ts'
import { refusal } from '../../kernel/refusal.ts'
import type { Refusal } from '../../kernel/refusal.ts'

export interface WorkingSetLimits {
  /** Sets of one owner, items of one set. */
  readonly maxSets: number
  readonly maxItems: number
  /** Sets and items of all owners together. */
  readonly maxAllSets: number
  readonly maxAllItems: number
}

/** A subject may hold anything, so it is never part of a key itself; hashed unit by unit, no two become one. */
export const ownerKey = (owner: string): string => createHash('sha256').update(owner, 'utf16le').digest('hex')

export const missing = (): Refusal => refusal('workingset.missing', 'workingset_update with action pin makes one')

export const full = (what: 'items' | 'sets' | 'server'): Refusal =>
  refusal('workingset.full', what === 'server' ? 'the server keeps no more; unpin what is not needed' : `unpin or clear what is not needed: no more ${what}`, what)

/** Texts that come back from every store as they went in. */
const KEEPS = /^[^\0\p{Cs}]*$/u

/** @throws Refusal `input.invalid`. */
export function checkTexts(...texts: readonly string[]): void {
  if (!texts.every((text) => KEEPS.test(text))) throw refusal('input.invalid', 'name, identifier and note: plain text')
}

export const itemTexts = (items: readonly (SourceRef & Partial<PinnedItem>)[]): readonly string[] => items.flatMap(({ identifier, note = '' }) => [identifier, note])
