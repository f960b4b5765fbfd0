import { it } from 'vitest'
import { holdsAgainstHostileRepo } from './hostile-repo-answers.ts'

it('does so with a folder of 100,000 entries', () => holdsAgainstHostileRepo(100_000), 600_000)
