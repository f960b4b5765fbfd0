/** A few rounds of `crash.soak.test.ts`. */

import { test } from 'vitest'
import { crashRounds, firstStartRounds } from './crash.ts'

test('a server that is killed in the middle of calls leaves a whole trail and no lock, and the next one starts', () => crashRounds(2))

test('a server that is killed during its first calls ever leaves nothing that stops the next one', () => firstStartRounds(1))
