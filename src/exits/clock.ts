/** The real clock. The only place where time enters. */

import type { Clock } from '../kernel/clock.ts'

export const systemClock: Clock = {
  now: () => Date.now(),
  ticks: () => performance.now(),
}
