import { it } from 'vitest'
import { disclosesNothing } from './workspace-disclosure.ts'

it('a workspace answers 100,000 calls as if what it hides were not there, and shows nothing of a secret', () => disclosesNothing(100_000), 3_600_000)
