import { it } from 'vitest'
import { holdsAgainstHostileRepo } from './hostile-repo-answers.ts'

it('searches, maps and reads a hostile repository without starting a process or leaving it', () => holdsAgainstHostileRepo(2_000), 120_000)
