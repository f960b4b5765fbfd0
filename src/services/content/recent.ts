/** Remembers the latest of what was made, up to a weight in all. */

export interface Recent<Value> {
  get(key: string): Value | undefined
  /** What weighs more than everything together may is not kept. */
  keep(key: string, value: Value, weight: number): void
}

export function createRecent<Value>(maxWeight: number): Recent<Value> {
  const kept = new Map<string, { readonly value: Value; readonly weight: number }>()
  let held = 0
  const drop = (key: string): void => {
    held -= kept.get(key)?.weight ?? 0
    kept.delete(key)
  }
  return {
    get(key) {
      const found = kept.get(key)
      if (!found) return undefined
      // A map keeps its order, so what was used last goes to its end.
      kept.delete(key)
      kept.set(key, found)
      return found.value
    },
    keep(key, value, weight) {
      drop(key)
      if (weight > maxWeight) return
      kept.set(key, { value, weight })
      held += weight
      for (const oldest of kept.keys()) {
        if (held <= maxWeight) return
        drop(oldest)
      }
    },
  }
}
