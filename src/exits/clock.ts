/** The real clock. The only place where time enters. */

import type { Clock } from '../kernel/clock.ts'

export const systemClock: Clock = {
  now: () => Date.now(),
  ticks() {
    // The first use of `performance` loads a library that no start needs.
    const [seconds, nanoseconds] = process.hrtime()
    return seconds * 1_000 + nanoseconds / 1e6
  },
}
