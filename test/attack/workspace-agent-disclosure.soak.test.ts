import { it } from 'vitest'
import { agentDisclosesNothing } from './workspace-agent-disclosure.ts'

it('an assistant makes 20,000 calls and sees nothing of what is withheld', () => agentDisclosesNothing(20_000), 3_600_000)
