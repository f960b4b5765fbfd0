/** The same work, asked for by many at the same time, is done once. */

export type SingleFlight<Result> = (key: string, work: () => Promise<Result>) => Promise<Result>

/** Nothing is kept once the work has settled; who asks later starts it anew. */
export function createSingleFlight<Result>(): SingleFlight<Result> {
  const running = new Map<string, Promise<Result>>()
  return (key, work) => {
    const joined = running.get(key)
    if (joined) return joined
    const started = work().finally(() => void running.delete(key))
    running.set(key, started)
    return started
  }
}
