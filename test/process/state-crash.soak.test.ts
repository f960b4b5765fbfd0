/** More rounds. */

import { test } from 'vitest'
import { stateCrashRounds } from './state-crash.ts'

test('servers that are killed in the middle of 100 tasks, timers and memory writes lose none and double none', () => stateCrashRounds(25))
