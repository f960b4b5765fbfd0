/** A small round of hostile lines; `random-lines.soak.test.ts` is the long one. */

import { test } from 'vitest'
import { feedHostileLines } from './random-lines.ts'

test.each([true, false])('two hundred hostile lines are each answered and recorded, and the door goes on (hot lane %s)', (hotLane) =>
  feedHostileLines(200, hotLane))
