/** Hostile lines by the thousand. */

import { test } from 'vitest'
import { feedHostileLines } from './random-lines.ts'

test.each([true, false])('ten thousand hostile lines are each answered and recorded, and the door goes on (hot lane %s)', (hotLane) =>
  feedHostileLines(10_000, hotLane))
