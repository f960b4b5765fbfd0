/** One round of `state-crash.soak.test.ts`. */

import { test } from 'vitest'
import { stateCrashRounds } from './state-crash.ts'

test('a server that is killed in the middle of 100 tasks, timers and memory writes loses none and doubles none', () => stateCrashRounds(1), 120_000)
