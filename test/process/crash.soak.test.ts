/** Servers killed at random moments, again and again. */

import { test } from 'vitest'
import { crashRounds, firstStartRounds } from './crash.ts'

test('servers that are killed in the middle of calls leave a whole trail and no lock, and the next one starts', () => crashRounds(25))

test('servers that are killed during their first calls ever leave nothing that stops the next one', () => firstStartRounds(25))
