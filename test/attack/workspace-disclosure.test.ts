import { it } from 'vitest'
import { disclosesNothing } from './workspace-disclosure.ts'

it('a workspace answers as if what it hides were not there, and shows nothing of a secret', () => disclosesNothing(1_000))
