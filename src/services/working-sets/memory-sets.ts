/** Working sets that end with the process: where there is no data directory. */

import type { PinnedItem, SourceRef, WorkingSet, WorkingSets } from '../../kernel/ports/working-sets.ts'
import { checkTexts, full, itemTexts, missing, ownerKey } from './set-rules.ts'
import type { WorkingSetLimits } from './set-rules.ts'

type Items = Map<string, PinnedItem>

const keyOf = ({ kind, identifier }: SourceRef): string => `${kind}\n${identifier}`
const plain = ({ kind, identifier, note }: PinnedItem): PinnedItem => ({ kind, identifier, note })

export function createMemorySets(limits: WorkingSetLimits): WorkingSets {
  const owners = new Map<string, Map<string, Items>>()
  const setsOf = (owner: string): Map<string, Items> => owners.get(ownerKey(owner)) ?? new Map<string, Items>()
  const found = (owner: string, name: string): Items => {
    const items = setsOf(owner).get(name)
    if (items === undefined) throw missing()
    return items
  }
  const answer = (name: string, items: Items): WorkingSet => ({ name, items: [...items.values()] })
  const all = (): readonly Items[] => [...owners.values()].flatMap((sets) => [...sets.values()])

  const placeFor = (owner: string, name: string): void => {
    const sets = setsOf(owner)
    if (sets.has(name)) return
    if (sets.size >= limits.maxSets) for (const [other, items] of sets) if (items.size === 0) sets.delete(other)
    if (sets.size >= limits.maxSets) throw full('sets')
    if (all().length >= limits.maxAllSets) throw full('server')
  }

  return {
    get: async (owner, name) => answer(name, found(owner, name)),
    async pin(owner, name, given) {
      checkTexts(name, ...itemTexts(given))
      placeFor(owner, name)
      const old = setsOf(owner).get(name)
      const items: Items = new Map(old)
      for (const item of given) items.set(keyOf(item), plain(item))
      if (items.size > limits.maxItems) throw full('items')
      const others = all().reduce((sum, { size }) => sum + size, 0) - (old?.size ?? 0)
      if (others + items.size > limits.maxAllItems) throw full('server')
      owners.set(ownerKey(owner), setsOf(owner).set(name, items))
      return answer(name, items)
    },
    async unpin(owner, name, refs) {
      const items = found(owner, name)
      for (const ref of refs) items.delete(keyOf(ref))
      return answer(name, items)
    },
    async clear(owner, name) {
      found(owner, name).clear()
      return { name, items: [] }
    },
  }
}
